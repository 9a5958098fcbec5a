// External rater: prices a policy by how far its vehicle is driven.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const BASE_PRICE = 400;
const PRICE_PER_KILOMETER = 0.02;

const read = (data, path) =>
  path
    .replace(/^\$\.?/, "")
    .split(".")
    .reduce((value, step) => value?.[step], data);

async function readState(key) {
  const base = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(`${base}/state/${encodeURIComponent(key)}`, { redirect: "error", signal });
  if (!answer.ok) throw new Error(`the state API answered ${answer.status}`);
  return answer.json();
}

async function rate(key, payload) {
  const { settings, mappings } = await readState(key);
  const mapping = mappings.find((entry) => entry.productName === payload.productName) ?? mappings[0];
  const kilometres = Number(read(payload.data ?? payload, mapping?.fields.annualKilometres ?? ""));
  const factor = Number(settings.factor);
  if (!Number.isFinite(kilometres))
    return [422, { error: "The kilometers per year are missing or not a number." }];
  if (!(factor > 0))
    return [422, { error: "The price factor of this installation must be a number above zero." }];
  const discount = 1 - Math.min(Math.max(Number(settings.partnerDiscount ?? 0) || 0, 0), 90) / 100;
  const price = Math.round((BASE_PRICE + kilometres * PRICE_PER_KILOMETER) * factor * discount * 100) / 100;
  return [200, { price, currency: settings.currency, basis: { kilometres, factor } }];
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://app");
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method === "GET" && pathname === "/health") return reply(200, { ok: true });
  if (request.method === "GET" && pathname.startsWith("/_app/"))
    return reply(200, { done: pathname.slice(6) });
  if (request.method !== "POST" || pathname !== "/rate") return reply(404, { error: "Not found." });
  try {
    return reply(...(await rate(request.headers["x-platform-key"] ?? "", JSON.parse(await text(request)))));
  } catch (error) {
    return reply(error instanceof SyntaxError ? 400 : 502, { error: error.message });
  }
});
server.listen(Number(process.env.PLATFORM_PORT ?? 8080), process.env.HOST);
process.on("SIGTERM", () => process.exit(0));

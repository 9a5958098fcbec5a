// External rater: prices a policy by how far its vehicle is driven. Drivers can ask for a price on a public page.
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
  if (!answer.ok) throw new Error(`the state API returned ${answer.status}`);
  return answer.json();
}

async function rate(key, payload) {
  const { settings, mappings } = await readState(key);
  const mapping = mappings.find((entry) => entry.productName === payload.productName) ?? mappings[0];
  return price(settings, Number(read(payload.data ?? payload, mapping?.fields.annualKilometres ?? "")));
}

function price(settings, kilometres) {
  const factor = Number(settings.factor);
  if (!Number.isFinite(kilometres))
    return [422, { error: "The kilometers per year are missing or not a number." }];
  if (!(factor > 0))
    return [422, { error: "The price factor of this installation must be a number above zero." }];
  const discount = 1 - Math.min(Math.max(Number(settings.partnerDiscount ?? 0) || 0, 0), 90) / 100;
  const amount = Math.round((BASE_PRICE + kilometres * PRICE_PER_KILOMETER) * factor * discount * 100) / 100;
  return [200, { price: amount, currency: settings.currency, basis: { kilometres, factor } }];
}

const escape = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** `GET /quote`: a page for anyone. The platform shows it in a sandbox: forms and scripts work, cookies and storage don't. */
async function quotePage(key, query) {
  const { settings } = await readState(key);
  const kilometres = query.get("kilometers") ?? "";
  const [, { price: amount, error }] = kilometres === "" ? [0, {}] : price(settings, Number(kilometres));
  const result = amount === undefined ? (error ?? "") : `${amount} ${settings.currency} a year`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quote</title>
<h1>What would you pay?</h1>
<form><label>Kilometers per year <input name="kilometers" inputmode="numeric" value="${escape(kilometres)}"></label>
<button>Show the price</button></form><p role="status">${escape(result)}</p></html>`;
}

/** `POST /callbacks/<provider>`: a telematics provider reports a mileage and gets the price for it. */
async function reportMileage(key, payload) {
  const { settings } = await readState(key);
  return price(settings, Number(payload.kilometers));
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://app");
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method === "GET" && pathname === "/health") return reply(200, { ok: true });
  if (request.method === "GET" && pathname.startsWith("/_app/"))
    return reply(200, { done: pathname.slice(6) });
  const key = request.headers["x-platform-key"] ?? "";
  try {
    if (request.method === "GET" && pathname === "/quote") {
      const page = await quotePage(key, searchParams);
      return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    }
    const act = pathname === "/rate" ? rate : pathname.startsWith("/callbacks/") ? reportMileage : undefined;
    if (request.method !== "POST" || act === undefined) return reply(404, { error: "Not found." });
    return reply(...(await act(key, JSON.parse(await text(request)))));
  } catch (error) {
    return reply(error instanceof SyntaxError ? 400 : 502, { error: error.message });
  }
});
server.listen(Number(process.env.PLATFORM_PORT ?? 8080), process.env.HOST);
process.on("SIGTERM", () => process.exit(0));

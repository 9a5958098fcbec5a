// The small apps of the demo's marketplace share this code: it answers any manifest's routes, with what its state says.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const BASE_PRICE = 240;

/** What an answer of this kind of route contains; other routes, such as webhooks, only say that they received the call. */
const ANSWERS = {
  "/autofill": ({ data }) => ({ data: data ?? {} }),
  "/rate": (_payload, { settings }) => ({
    price: Math.round(BASE_PRICE * (Number(settings.factor) || 1) * 100) / 100,
    currency: settings.currency ?? "USD",
  }),
};

async function answer(key, pathname, payload) {
  const base = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const signal = AbortSignal.timeout(5_000);
  const response = await fetch(`${base}/state/${encodeURIComponent(key)}`, { redirect: "error", signal });
  if (!response.ok) throw new Error(`the state API returned ${response.status}`);
  const state = await response.json();
  return { received: pathname, tenant: state.tenantHostName, ...ANSWERS[pathname]?.(payload, state) };
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://app");
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method === "GET" && pathname === "/health") return reply(200, { ok: true });
  if (request.method === "GET" && pathname.startsWith("/_app/"))
    return reply(200, { done: pathname.slice(6) });
  try {
    const payload = request.method === "POST" ? JSON.parse(await text(request)) : {};
    return reply(200, await answer(request.headers["x-platform-key"] ?? "", pathname, payload));
  } catch (error) {
    return reply(error instanceof SyntaxError ? 400 : 502, { error: error.message });
  }
});
server.listen(Number(process.env.PLATFORM_PORT ?? 8080), process.env.HOST);
process.on("SIGTERM", () => process.exit(0));

// Webhook: turns an event of the policy system into a signed message. It stores nothing between requests.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

async function readState(key) {
  const base = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(`${base}/state/${encodeURIComponent(key)}`, { redirect: "error", signal });
  if (!answer.ok) throw new Error(`the state API answered ${answer.status}`);
  return answer.json();
}

/** The same event gets a different signature for each customer, because each has its own signing key. */
async function handleEvent(key, eventText) {
  const event = JSON.parse(eventText);
  const { settings, tenantHostName } = await readState(key);
  if (!settings.signingKey)
    return [422, { error: "Set a signing key in the configuration of this installation." }];
  const message = `${settings.label ? `${settings.label}: ` : ""}${event.type} (${event.id})`;
  const signature = createHmac("sha256", settings.signingKey).update(message).digest("hex");
  return [
    200,
    { message, channel: settings.channel, tenant: tenantHostName, signature: `sha256=${signature}` },
  ];
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://app");
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method === "GET" && pathname === "/health") return reply(200, { ok: true });
  if (request.method === "GET" && pathname.startsWith("/_app/"))
    return reply(200, { done: pathname.slice(6) });
  if (request.method !== "POST" || pathname !== "/events") return reply(404, { error: "Not found." });
  try {
    return reply(...(await handleEvent(request.headers["x-platform-key"] ?? "", await text(request))));
  } catch (error) {
    return reply(error instanceof SyntaxError ? 400 : 502, { error: error.message });
  }
});
server.listen(Number(process.env.PLATFORM_PORT ?? 8080), process.env.HOST);
process.on("SIGTERM", () => process.exit(0));

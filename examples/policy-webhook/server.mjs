// Webhook: turns an event of the policy system into a signed message. It stores nothing between requests.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** `path`: "" for the state, "/webhook-secrets" for the secrets that sign this customer's webhooks. */
async function readState(key, path) {
  const base = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const signal = AbortSignal.timeout(5_000);
  const url = `${base}/state/${encodeURIComponent(key)}${path}`;
  const answer = await fetch(url, { redirect: "error", signal });
  if (!answer.ok) throw new Error(`the state API returned ${answer.status}`);
  return answer.json();
}

const TOLERANCE_SECONDS = 300;

/** Standard Webhooks: any of the secrets may have signed, and during a rotation there are several signatures. */
function isSigned(headers, eventText, secrets) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const given = signatures.split(" ").map((each) => Buffer.from(each.replace(/^v1,/, ""), "base64"));
  return secrets.some((secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const expected = createHmac("sha256", bytes).update(`${id}.${timestamp}.${eventText}`).digest();
    return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
}

/** The same event gets a different signature for each customer, because each has its own signing key. */
async function handleEvent(headers, eventText) {
  const key = headers["x-platform-key"] ?? "";
  const [{ settings, tenantHostName }, { secrets }] = await Promise.all([
    readState(key, ""),
    readState(key, "/webhook-secrets"),
  ]);
  if (!isSigned(headers, eventText, secrets)) return [401, { error: "The signature is not valid." }];
  const event = JSON.parse(eventText);
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
    return reply(...(await handleEvent(request.headers, await text(request))));
  } catch (error) {
    return reply(error instanceof SyntaxError ? 400 : 502, { error: error.message });
  }
});
server.listen(Number(process.env.PLATFORM_PORT ?? 8080), process.env.HOST);
process.on("SIGTERM", () => process.exit(0));

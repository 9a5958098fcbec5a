// A publisher's app for the tests: it answers with what it can learn from its state.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const seen = [];

createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const { pathname } = new URL(request.url, "http://app");
  if (pathname === "/health") return reply(200, { ok: true });
  if (pathname.startsWith("/_app/")) return reply(200, { done: pathname });
  if (request.method !== "POST") return reply(404, {});
  const payload = JSON.parse(await text(request));
  const answer = await fetch(`${process.env.PLATFORM_STATE_API}/state/${request.headers["x-platform-key"]}`);
  const state = await answer.json();
  seen.push(state.tenantHostName);
  reply(200, {
    tenant: state.tenantHostName,
    channel: state.settings.channel,
    secretLength: state.settings.secret?.length ?? 0,
    mappings: state.mappings,
    payload,
    // Grows over all customers: they share this one container.
    served: [...new Set(seen)],
  });
}).listen(Number(process.env.PLATFORM_PORT));

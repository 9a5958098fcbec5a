// A publisher's app for the tests: it answers with what it can learn from its state, its secrets too.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const RELEASE = "1";
const seen = [];

async function readState(request) {
  const answer = await fetch(`${process.env.PLATFORM_STATE_API}/state/${request.headers["x-platform-key"]}`);
  return answer.json();
}

/** How a request to each of these hosts ends. */
async function reach(hosts) {
  const ends = hosts.map(async (host) => {
    const { status, cause, name } = await fetch(`https://${host}/`, {
      signal: AbortSignal.timeout(5_000),
    }).catch((error) => error);
    return [host, String(status ?? cause?.code ?? name)];
  });
  return Object.fromEntries(await Promise.all(ends));
}

/** What the core lets the app do in this call, as the token says. */
const readScope = ({ token }) => JSON.parse(Buffer.from(token.split(".")[1], "base64url")).scope;

function checkSettings({ settings: { note, secret } }) {
  if (note !== "refuse") return { ok: true };
  return { ok: false, issues: [{ setting: "secret", message: `The note says to refuse ${secret}.` }] };
}

createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const { pathname } = new URL(request.url, "http://app");
  if (pathname === "/health") return reply(200, { ok: true });
  if (pathname === "/_app/check") return reply(200, checkSettings(await readState(request)));
  if (pathname.startsWith("/_app/")) return reply(200, { done: pathname });
  if (request.method !== "POST") return reply(404, {});
  const payload = JSON.parse(await text(request));
  const state = await readState(request);
  seen.push(state.tenantHostName);
  // A call sees one whole configuration from its beginning to its end, however long it takes.
  if (payload?.hold) await sleep(payload.hold);
  const { settings } = payload?.hold ? await readState(request) : state;
  const { secret = "" } = state.settings;
  // Careless apps log what they get, and say it to everybody.
  console.log(`serving ${state.tenantHostName} with ${secret}`);
  reply(200, {
    release: RELEASE,
    tenant: state.tenantHostName,
    channel: state.settings.channel,
    secretLength: secret.length,
    secretDigest: createHash("sha256").update(secret).digest("hex").slice(0, 12),
    tokenLength: state.settings.token?.length,
    same: JSON.stringify(settings) === JSON.stringify(state.settings),
    settings: state.settings,
    encoded: Buffer.from(`key:${secret}`).toString("base64"),
    mappings: state.mappings,
    payload,
    scope: readScope(state),
    ...(payload?.reach && { reached: await reach(payload.reach) }),
    // Grows over all customers: they share this one container.
    served: [...new Set(seen)],
  });
}).listen(Number(process.env.PLATFORM_PORT));

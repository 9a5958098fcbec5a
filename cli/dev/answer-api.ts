/** The emulator over HTTP: the state API, the core, its page with the requests that the page sends, and the app's endpoints. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { Problem } from "@/lib/contract/platform/problem";
import { unknownKey } from "@/lib/domain/calls/explain-answer";
import type { DevRead } from "./contract/calls";
import type { Emulator } from "./emulator/emulator";
import { callEndpoint } from "./emulator/send-call";
import { takeSnapshot } from "./emulator/snapshot";
import { openState, type StateRead } from "./emulator/state-api";
import { answerPageRequest } from "./page-requests";
import { answerJson, type Exchange } from "./serve";

const STREAM_PING_MS = 15_000;
/** The rest of the policy is in the page itself: see launcher/build-dev-page.mjs. */
const FRAME_POLICY = "frame-ancestors 'none'";

/** Which part of the emulator a listener serves: the app's container reaches only what an app needs. */
export type Audience = "everyone" | "app";

export async function answerApi(emulator: Emulator, audience: Audience, exchange: Exchange): Promise<void> {
  const { method, path, response } = exchange;
  // Apps may join a base with a slash at its end.
  const [first, ...rest] = path
    .replace(/^\/\/(?!\/)/, "/")
    .split("/")
    .slice(1)
    .map(decode);
  if (first === "state") return answerState(emulator, exchange, rest);
  if (first === "core") return answerCore(emulator, exchange, rest);
  if (path === "/.well-known/jwks.json") return answerJson(response, 200, emulator.tokens.jwks);
  if (audience === "app") throw new Problem("NOT_FOUND", "Apps find only the state API and the core here.");
  if (path === "/" && method === "GET") return answerPage(response);
  if (path === "/api/dev/stream" && method === "GET") return stream(emulator, exchange);
  if (first === "r") return passOn(emulator, exchange, rest[0] ?? "");
  if (first === "api") return answerPageRequest(emulator, exchange, rest);
  throw new Problem("NOT_FOUND", "This address doesn't exist.");
}

function answerState(emulator: Emulator, { method, response }: Exchange, parts: readonly string[]): void {
  const [key = "", rest, ...more] = parts;
  if (method !== "GET") throw new Problem("WRONG_METHOD", "The state can only be read, with GET.");
  if (more.length > 0 || (rest !== undefined && rest !== "webhook-secrets"))
    throw new Problem("NOT_FOUND", "This address doesn't exist.");
  answerJson(response, 200, readState(emulator, key, rest ?? "state"));
}

async function answerCore({ core }: Emulator, exchange: Exchange, parts: readonly string[]): Promise<void> {
  const { method, request, response, gone } = exchange;
  const { authorization } = request.headers;
  const answer = await core.answer({ method, parts, authorization, gone });
  if (answer === undefined) return void response.destroy();
  answerJson(response, answer.status, answer.body);
}

async function answerPage(response: ServerResponse): Promise<void> {
  const page = await readFile(new URL("../dist/dev-page.html", import.meta.url)).catch(() => undefined);
  const body =
    page ??
    "<!doctype html><title>platform-app dev</title><p>The page of the emulator is not built. Run npm run build:cli.</p>";
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": FRAME_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    })
    .end(body);
}

/** Everything as it is now, and then each change. */
function stream(emulator: Emulator, { response, gone }: Exchange): void {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  const write = (name: string, data: unknown) =>
    void response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  write("snapshot", takeSnapshot(emulator));
  const end = emulator.history.follow(({ name, data }) => write(name, data));
  const ping = setInterval(() => void response.write(": still here\n\n"), STREAM_PING_MS);
  gone.addEventListener("abort", () => {
    end();
    clearInterval(ping);
  });
}

/** `/r/<customer>/<path>`: what third parties and browsers would reach through the platform. */
async function passOn(emulator: Emulator, exchange: Exchange, customerId: string): Promise<void> {
  const { method, path, request, response } = exchange;
  const { url = "", headers } = request;
  const body = await buffer(request);
  if (body.length > BODY_BYTES) throw new Problem("TOO_LARGE", "The request body is larger than 1 MiB.");
  const sent = await callEndpoint(emulator, customerId, {
    method,
    headers,
    body: body.length > 0 ? body : undefined,
    path: path.slice(`/r/${customerId}`.length) || "/",
    query: url.includes("?") ? url.slice(url.indexOf("?")) : "",
  });
  response.writeHead(sent.status, sent.headers).end(sent.body);
}

const BODY_BYTES = 1024 * 1024;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Throws the platform's own NOT_FOUND for any key that isn't good now. */
function readState(emulator: Emulator, key: string, what: StateRead["what"]): unknown {
  const read = openState(emulator.keys, emulator.tokens, key, what);
  noteRead(emulator, read);
  if (read.body === undefined) throw unknownKey();
  return read.body;
}

function noteRead({ history }: Emulator, found: StateRead): void {
  const { content, key, what, status, ms, refusal, answered } = found;
  const callId = content?.callId ?? null;
  const read: DevRead = {
    id: randomUUID(),
    at: new Date().toISOString(),
    callId,
    key,
    what,
    status,
    ms,
    refusal,
    answered,
    customerId: content?.customer.id ?? null,
    customerName: content?.customer.name ?? null,
  };
  history.addRead(read);
  const call = callId === null ? undefined : history.findCall(callId);
  if (call !== undefined) history.putCall({ ...call, reads: [...call.reads, read] });
}

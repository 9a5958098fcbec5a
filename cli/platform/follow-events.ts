/** Follows a stream of server-sent events across broken connections. */
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { parseJson } from "@/lib/contract/platform/problem";
import { PlatformProblem } from "../terminal/failure";
import {
  chooseDispatcher,
  ConnectionFailure,
  toAuthorization,
  toFailure,
  unreachable,
} from "./call-platform";
import type { Credentials } from "./credentials";

interface StreamEvent {
  event: string;
  id: string;
  data: unknown;
}

interface Followed {
  path: string;
  /** The position after which it begins. */
  after: string | undefined;
  /** How long to wait before each attempt to connect again; the last one is repeated. */
  retryMs: readonly number[];
  /** Called once for each connection that breaks. */
  onBreak: () => void;
}

/** Events come every five seconds, so a connection that is silent for this long is broken. */
const SILENT_MS = 20_000;

/** Answers that another attempt may change. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * The events after a position, each once, until the reader stops. A connection that breaks is made again from the last event on. Throws
 * if the platform refuses the first one, and WRONG_CREDENTIALS once the API key no longer works.
 */
export async function* followEvents(
  credentials: Credentials,
  { path, after, retryMs, onBreak }: Followed,
): AsyncGenerator<StreamEvent> {
  let last = after;
  let failures = 0;
  let isFirst = true;
  for (;;) {
    try {
      for await (const event of connect(credentials, path, last)) {
        [failures, isFirst] = [0, false];
        if (event.event === "end") throw ended();
        last = event.id;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof BrokenStream)) throw error;
      // Readers have read from the platform before, so a connection that breaks says nothing about its address.
      if (isFirst && !(error.reason instanceof ConnectionFailure)) throw error.reason;
    }
    if (failures === 0) onBreak();
    await sleep(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1_000);
    failures += 1;
  }
}

/** A connection that broke, or could not be made for now. */
class BrokenStream extends Error {
  constructor(readonly reason: Error) {
    super(reason.message);
  }
}

function ended(): PlatformProblem {
  const detail = "The API key has expired or was revoked. Log in with another key to continue.";
  return new PlatformProblem("WRONG_CREDENTIALS", detail, []);
}

async function* connect(
  credentials: Credentials,
  path: string,
  after: string | undefined,
): AsyncGenerator<StreamEvent> {
  const headers = {
    accept: "text/event-stream",
    authorization: toAuthorization(credentials),
    ...(after === undefined ? {} : { "last-event-id": after }),
  };
  const timeouts = { headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS };
  const dispatcher = chooseDispatcher(credentials);
  const options = { method: "GET", headers, dispatcher, ...timeouts } as const;
  const response = await request(credentials.url + path, options).catch((error: unknown) => {
    throw new BrokenStream(unreachable(credentials, error));
  });
  if (response.statusCode !== 200) {
    const failure = toFailure(credentials, response.statusCode, await response.body.text());
    throw TEMPORARY.has(response.statusCode) ? new BrokenStream(failure) : failure;
  }
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) yield parseEvent(part);
    }
  } catch (error) {
    throw new BrokenStream(unreachable(credentials, error));
  }
}

function parseEvent(text: string): StreamEvent {
  const fields = new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  return {
    event: fields.get("event") ?? "",
    id: fields.get("id") ?? "",
    data: parseJson(fields.get("data") ?? "null"),
  };
}

/** Which entries were shown, so that none is shown twice. Remembers the newest. */
const MOST = 20_000;

export function rememberShown() {
  const shown = new Set<string>();
  return (id: string): boolean => {
    if (shown.has(id)) return false;
    shown.add(id);
    if (shown.size > MOST) for (const oldest of shown) return shown.delete(oldest);
    return true;
  };
}

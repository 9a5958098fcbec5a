/** A request to the gateway with its response: how routes read the one and write the other. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { parseInput, Problem } from "@/lib/contract/platform/problem";
import { parseTrace, type TraceContext } from "@/lib/domain/calls/trace";
import type { Platform } from "../../../platform/platform";
import { decodeBody } from "../../../platform/requests/read-request";

export interface Exchange {
  platform: Platform;
  request: IncomingMessage;
  response: ServerResponse;
  /** Values of the path's `<…>` placeholders, in order. */
  parts: string[];
  search: URLSearchParams;
  /** The gateway got a signal to end. */
  isDraining: boolean;
  /** Throws TOO_MANY_REQUESTS or OVERLOADED if bodies keep too much in memory. */
  chargeBody: (request: IncomingMessage, bytes: number) => void;
}

/** The trace that a request names; undefined if it names no valid one. */
export function readTrace({
  headers: { traceparent, tracestate },
}: IncomingMessage): TraceContext | undefined {
  return parseTrace(traceparent, tracestate);
}

type Incoming = Pick<Exchange, "request" | "chargeBody">;

const BODY_BYTES = 1024 * 1024;
const BODY_MS = 15_000;

/** Reads and checks a JSON body of at most 1 MiB (or `limit` bytes) within 15 seconds. */
export async function readJson<Schema extends z.ZodType>(
  exchange: Incoming,
  schema: Schema,
  limit = BODY_BYTES,
): Promise<z.output<Schema>> {
  return parseInput(schema, await readJsonText(exchange, limit));
}

/** Reads a body as text, with the same limits. Only its media type is checked. */
export async function readJsonText(exchange: Incoming, limit = BODY_BYTES): Promise<string> {
  if (!isOfType(exchange.request, ["application/json"]))
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON, with 'Content-Type: application/json'.");
  return readText(exchange, limit);
}

export function isOfType({ headers }: IncomingMessage, types: readonly string[]): boolean {
  return types.includes(headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "");
}

/** The same limits for any body. The request stays open after a refusal: destroying it would cut the response off too. */
export function readText({ request, chargeBody }: Incoming, limit: number): Promise<string> {
  let resolve: (body: Buffer) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Buffer>((...functions) => ([resolve, reject] = functions));
  const chunks: Buffer[] = [];
  let bytes = 0;
  const add = (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > limit) return reject(tooLarge(limit));
    try {
      chargeBody(request, chunk.byteLength);
    } catch (error) {
      return reject(error);
    }
    chunks.push(chunk);
  };
  const end = () => {
    // A complete request closes too. Creating an error for each would cost more than reading it.
    request.off("close", leave);
    resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks));
  };
  const leave = () =>
    reject(
      new Problem(
        "BAD_INPUT",
        "The connection was closed before the body was complete. Send the request again.",
      ),
    );
  const deadline = setTimeout(() => reject(tooSlow()), BODY_MS);
  request.on("data", add).once("end", end).once("error", leave).once("close", leave);
  const whole = promise.finally(() => {
    clearTimeout(deadline);
    request.off("data", add).off("end", end).off("error", leave).off("close", leave);
  });
  return whole.then(decodeBody);
}

function tooLarge(limit: number): Problem {
  return new Problem("TOO_LARGE", `The request body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`);
}

function tooSlow(): Problem {
  return new Problem(
    "TOO_SLOW",
    `The request body did not arrive within ${BODY_MS / 1000} seconds. Send it again over a faster connection.`,
  );
}

export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  type = "application/json",
): void {
  answerText(response, status, JSON.stringify(value), type);
}

/** Keeps the body a string, because Node then sends it together with the headers in one system call. */
export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  type = "application/json",
): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
}

/** Aborted when the client is gone. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}

export function webPage({ environment }: Platform, path: string): string {
  return new URL(path, environment.PLATFORM_WEB_URL).href;
}

import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { parseInput, Problem } from "@/lib/contract/platform/problem";
import { chargeBody } from "./admission/admit-request";

const BODY_BYTES = 1024 * 1024;
const BODY_MS = 15_000;

/** Reads and checks a JSON body of at most 1 MiB (or `limit` bytes) within 15 seconds. */
export async function readJson<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  limit = BODY_BYTES,
): Promise<z.output<Schema>> {
  return parseInput(schema, await readJsonText(request, limit));
}

/** Reads a body as text, with the same limits. Only its media type is checked. */
export async function readJsonText(request: IncomingMessage, limit = BODY_BYTES): Promise<string> {
  if (!isOfType(request, ["application/json"]))
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON, with 'Content-Type: application/json'.");
  return readText(request, limit);
}

export function isOfType({ headers }: IncomingMessage, types: readonly string[]): boolean {
  return types.includes(headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "");
}

/** The same limits for any body. The request stays open after a refusal: destroying it would cut the response off too. */
export function readText(request: IncomingMessage, limit: number): Promise<string> {
  let resolve: (text: string) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<string>((...functions) => ([resolve, reject] = functions));
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
    resolve(Buffer.concat(chunks).toString("utf8"));
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
  return promise.finally(() => {
    clearTimeout(deadline);
    request.off("data", add).off("end", end).off("error", leave).off("close", leave);
  });
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

import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { parseInput } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";

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
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON, with 'Content-Type: application/json'.");
  return readBody(request, limit);
}

async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const deadline = setTimeout(() => request.destroy(), BODY_MS);
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) throw new Error("the request stream returned text instead of bytes");
      bytes += chunk.byteLength;
      if (bytes > limit)
        throw new Problem(
          "TOO_LARGE",
          `The request body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`,
        );
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(deadline);
  }
  return Buffer.concat(chunks).toString("utf8");
}

import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { parseInput } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";

const BODY_BYTES = 1024 * 1024;
const BODY_MS = 15_000;

/** Reads and checks a JSON body of at most 1 MiB, or of `bytes`, within 15 s. */
export async function readJson<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  bytes = BODY_BYTES,
): Promise<z.output<Schema>> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON, with 'Content-Type: application/json'.");
  return parseInput(schema, await readBody(request, bytes));
}

async function readBody(request: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const deadline = setTimeout(() => request.destroy(), BODY_MS);
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) throw new Error("a request gave text where bytes were expected");
      bytes += chunk.byteLength;
      if (bytes > most)
        throw new Problem("TOO_LARGE", `The body has more than ${Math.floor(most / 1024 / 1024)} MiB.`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(deadline);
  }
  return Buffer.concat(chunks).toString("utf8");
}

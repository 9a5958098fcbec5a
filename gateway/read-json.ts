import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { parseJsonBody } from "@/lib/contract/json-body";
import { Problem, type Issue } from "@/lib/contract/problem";

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
  const parsed = schema.safeParse(parseJsonBody(await readBody(request, bytes)));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue): Issue => ({
    code: issue.code,
    pointer: issue.path.map((part) => `/${String(part)}`).join(""),
    message: issue.message,
  }));
  throw new Problem("BAD_INPUT", "Some of what was sent is not right: see the issues.", issues);
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

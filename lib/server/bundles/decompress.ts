import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";

export type Compression = "plain" | "gzip" | "zstd";

export function compressionOf(start: Buffer): Compression {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip";
  return start.readUInt32LE(0) === 0xfd2fb528 ? "zstd" : "plain";
}

/**
 * Hands the decompressed bytes to `consume`, whose errors stop it at once: a bomb must not get further than
 * the chunk that shows it. Throws a plain Error for what cannot be decompressed.
 */
export async function decompress(
  compression: Compression,
  content: AsyncIterable<Buffer>,
  consume: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  if (compression === "gzip") return gunzip(content, consume);
  if (compression === "zstd") return unzstd(content, consume);
  for await (const chunk of content) await consume(chunk);
}

async function gunzip(
  content: AsyncIterable<Buffer>,
  consume: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  const source = Readable.from(content);
  const unpacking = createGunzip();
  let bytes = 0;
  source.on("data", (chunk: Buffer) => (bytes += chunk.length));
  source.on("error", (error) => unpacking.destroy(error));
  const unpacked: AsyncIterable<Buffer> = source.pipe(unpacking);
  try {
    for await (const chunk of unpacked) await consume(chunk);
  } finally {
    source.destroy();
  }
  // Node ends quietly where the gzip ends; engines refuse what follows.
  if (unpacking.bytesWritten !== bytes || !source.readableEnded)
    throw new Error("data follows the end of its gzip");
}

async function unzstd(
  content: AsyncIterable<Buffer>,
  consume: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  const ready: Buffer[] = [];
  const unpacking = new Decompress((chunk) => void ready.push(Buffer.from(chunk)));
  for await (const chunk of content) {
    // Small pieces: 4 bytes of zstd can stand for 128 KiB.
    for (let at = 0; at < chunk.length; at += 256) {
      unpacking.push(chunk.subarray(at, at + 256));
      for (const part of ready.splice(0)) await consume(part);
    }
  }
  unpacking.push(new Uint8Array(0), true);
  for (const part of ready.splice(0)) await consume(part);
}

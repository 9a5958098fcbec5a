import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { splitFrames } from "./zstd-frames";

/** Small ones cost more time than unpacking them. */
const CHUNK_BYTES = 256 * 1024;

export type Compression = "plain" | "gzip" | "zstd";

export function detectCompression(start: Buffer): Compression {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip";
  const magic = start.readUInt32LE(0);
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5 ? "zstd" : "plain";
}

/**
 * Passes the decompressed bytes to `consume`. An error of `consume` stops at once, so that a bomb gets no further than
 * the chunk that reveals it. Throws a plain Error if the content can't be decompressed. Not every input ends in useful
 * time (a zstd block of 30 bytes can keep its decoder busy for a minute), so run it in a thread that can be terminated.
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
  const unpacking = createGunzip({ chunkSize: CHUNK_BYTES });
  let bytes = 0;
  source.on("data", (chunk: Buffer) => (bytes += chunk.length));
  source.on("error", (error) => unpacking.destroy(error));
  const unpacked: AsyncIterable<Buffer> = source.pipe(unpacking);
  try {
    for await (const chunk of unpacked) await consume(chunk);
  } finally {
    source.destroy();
  }
  // Node ignores data after the end of the gzip stream; engines refuse it.
  if (unpacking.bytesWritten !== bytes || !source.readableEnded)
    throw new Error("data follows the end of its gzip stream");
}

async function unzstd(
  content: AsyncIterable<Buffer>,
  consume: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  const ready: Buffer[] = [];
  const unpacking = new Decompress(({ buffer, byteOffset, byteLength }) => {
    ready.push(Buffer.from(buffer, byteOffset, byteLength));
  });
  for await (const piece of splitFrames(content)) {
    unpacking.push(piece);
    for (const part of ready.splice(0)) await consume(part);
  }
  unpacking.push(new Uint8Array(0), true);
  for (const part of ready.splice(0)) await consume(part);
}

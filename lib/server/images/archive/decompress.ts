import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ZSTDDecoder } from "zstddec/stream";

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
 * time (a kilobyte can stand for a million), so run it in a thread that can be terminated.
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
  const source = Readable.from(checkNames(content));
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

/** Engines read a name or comment of at most 511 bytes in the header of a gzip stream. */
async function* checkNames(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let isRead = false;
  for await (const chunk of content) {
    if (!isRead) {
      start = Buffer.concat([start, chunk]);
      isRead = hasWholeHeader(start);
    }
    yield chunk;
  }
}

const HEADER_BYTES = 10;
const EXTRA = 4;
const NAMES = [8, 16];
const LONGEST_NAME = 511;

/** Whether the header ends within these bytes (RFC 1952). Throws if a name in it is too long. */
function hasWholeHeader(start: Buffer): boolean {
  const flags = start[3] ?? 0;
  let at = HEADER_BYTES;
  if ((flags & EXTRA) !== 0) at += 2 + (start.length < at + 2 ? 0 : start.readUInt16LE(at));
  for (const name of NAMES) {
    if ((flags & name) === 0) continue;
    const end = start.indexOf(0, at);
    if ((end < 0 ? start.length : end) - at > LONGEST_NAME)
      throw new Error("its gzip header contains a name of more than 511 bytes");
    if (end < 0) return false;
    at = end + 1;
  }
  return start.length >= at;
}

let hasLeaked = false;

/** Whether this thread has memory that is only freed with it, because a decoder was stopped before its end. */
export function hasLeakedMemory(): boolean {
  return hasLeaked;
}

/** Any stream may have as many pieces. */
const FREE_PIECES = 1_000;
/** `zstd:chunked`, which gives each file two frames, returns at least 128 bytes for each piece. */
const BYTES_PER_PIECE = 64;

/**
 * Gives the reference decoder one piece at a time. It reports an error by asking for nothing more, or at the end, so a piece
 * that it leaves in place is the sign of one. A piece takes a step of the decoder even if it returns nothing, so their number is bounded, too.
 */
async function unzstd(
  content: AsyncIterable<Buffer>,
  consume: (chunk: Buffer) => void | Promise<void>,
): Promise<void> {
  const decoder = new ZSTDDecoder();
  await decoder.init();
  let next: Buffer | undefined;
  const unpacking = decoder.decodeStreaming(takePieces());
  const hadLeaked = hasLeaked;
  hasLeaked = true;
  let [pieces, bytes] = [0, 0];
  for await (const piece of splitFrames(content)) {
    pieces += 1;
    if (pieces > FREE_PIECES + bytes / BYTES_PER_PIECE)
      throw new Error("its zstd blocks contain too little data");
    if (piece.length === 0) continue;
    next = piece;
    const { value, done } = unpacking.next();
    if (next !== undefined || done === true) throw new Error("it is not valid zstd");
    bytes += value.length;
    if (value.length > 0) await consume(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  }
  if (unpacking.next().done !== true) throw new Error("it is not valid zstd");
  hasLeaked = hadLeaked;

  function* takePieces(): Generator<Buffer> {
    for (let piece = next; piece !== undefined; piece = next) {
      next = undefined;
      yield piece;
    }
  }
}

// Reads the frames of a zstd stream (RFC 8878) without decompressing them.

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;
const MAX_BLOCK = 128 * 1024;
const RLE = 1;
const RESERVED = 3;

/** What engines decode: `zstd --ultra -22` and `--long` need as much. Some tools write 16 or 32 MiB by default. */
const MAX_WINDOW = 128 * 1024 * 1024;

/** A frame that needs more memory than decoders must provide. */
export class LargeWindow extends Error {}

/**
 * The stream in pieces of one header, block or checksum each, and an empty one for each skippable frame: a decoder that gets one piece
 * at a time returns at most 128 KiB for it. Refuses a window of more than 128 MiB, which a decoder would allocate as soon as it sees
 * the header.
 */
async function* splitFrames(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(content);
  try {
    while (!(await bytes.atEnd())) {
      const magic = await bytes.read(4);
      if (magic.readUInt32LE() >>> 4 === SKIPPABLE) yield bytes.skip((await bytes.read(4)).readUInt32LE());
      else if (magic.readUInt32LE() === FRAME) yield* splitFrame(magic, bytes);
      else throw new Error("data follows the end of its zstd stream");
    }
  } finally {
    await bytes.close();
  }
}

async function* splitFrame(magic: Buffer, bytes: ByteReader): AsyncGenerator<Buffer> {
  const descriptor = await bytes.read(1);
  const flags = descriptor.readUInt8();
  const singleSegment = (flags & 0x20) !== 0;
  const window = await bytes.read(singleSegment ? 0 : 1);
  const dictionary = await bytes.read([0, 1, 2, 4][flags & 3] ?? 0);
  const contentSize = await bytes.read([singleSegment ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0);
  if ((singleSegment ? readSize(contentSize) : readWindow(window.readUInt8())) > MAX_WINDOW)
    throw new LargeWindow("it needs a window of more than 128 MiB");
  yield Buffer.concat([magic, descriptor, window, dictionary, contentSize]);
  for (let isLast = false; !isLast;) {
    const head = await bytes.read(3);
    const block = head.readUIntLE(0, 3);
    const type = (block >> 1) & 3;
    const size = block >> 3;
    if (type === RESERVED || size > MAX_BLOCK) throw new Error("a zstd block is malformed");
    yield Buffer.concat([head, await bytes.read(type === RLE ? 1 : size)]);
    isLast = (block & 1) === 1;
  }
  if ((flags & 4) !== 0) yield bytes.read(4);
}

function readSize(field: Buffer): number {
  if (field.length === 8) return Number(field.readBigUInt64LE());
  return field.readUIntLE(0, field.length) + (field.length === 2 ? 256 : 0);
}

function readWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Reads a stream of chunks by exact numbers of bytes. Throws a plain Error if the stream ends too early. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(content: AsyncIterable<Buffer>) {
    this.#chunks = content[Symbol.asyncIterator]();
  }

  async atEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return true;
      this.#rest = next.value;
    }
    return false;
  }

  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      const part = await this.#take(missing);
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** @returns nothing of it */
  async skip(length: number): Promise<Buffer> {
    for (let missing = length; missing > 0;) missing -= (await this.#take(missing)).length;
    return Buffer.alloc(0);
  }

  /** Ends the source, which may have an open file. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #take(most: number): Promise<Buffer> {
    if (await this.atEnd()) throw new Error("it is truncated");
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}

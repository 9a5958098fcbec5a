/** Reads the frames of a zstd stream (RFC 8878) without decompressing them. */
import { ByteReader } from "./byte-reader";

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;
const MAX_BLOCK = 128 * 1024;
const RLE = 1;
const RESERVED = 3;

/** What every decoder must support (RFC 8878, section 3.1.1.1.2). `zstd -19` and all container tools stay below it. */
const MAX_WINDOW = 8 * 1024 * 1024;

/** A frame that needs more memory than decoders must provide. */
export class LargeWindow extends Error {}

/**
 * The stream in pieces of one header, block or checksum each: a decoder that gets one piece at a time returns at most
 * 128 KiB for it. Refuses a window of more than 8 MiB, which a decoder would allocate as soon as it sees the header.
 */
export async function* splitFrames(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(content);
  try {
    while (!(await bytes.atEnd())) {
      const magic = await bytes.read(4);
      if (magic.readUInt32LE() >>> 4 === SKIPPABLE) await bytes.skip((await bytes.read(4)).readUInt32LE());
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
    throw new LargeWindow("it needs a window of more than 8 MiB");
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

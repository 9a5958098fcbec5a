/** A blob as `tus-js-client` reads it: in chunks, of which the last one can be read again if it has to be sent again. */

/** A chunk, with the size that the library looks for. */
type Chunk = Buffer & { size: number };

export interface ChunkSource {
  size: number;
  slice(start: number, end: number): Promise<{ value: Chunk; done: boolean }>;
  close(): void;
}

/** @param size bytes of the whole content. What comes before the first chunk that is asked for is skipped. */
export function chunkSource(content: AsyncIterable<Buffer>, size: number): ChunkSource {
  const chunks = content[Symbol.asyncIterator]();
  /** What was read last, from `position` on. */
  let kept: Buffer = Buffer.alloc(0);
  let position = 0;
  let rest: Buffer = Buffer.alloc(0);

  async function read(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = bytes;
    while (missing > 0) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) throw new Error("the image's archive is shorter than before");
        rest = next.value;
      }
      const part = rest.subarray(0, missing);
      rest = rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  return {
    size,
    slice: async (start, end) => {
      if (start < position) throw new Error("the platform has lost a part of the upload");
      while (position + kept.length < start) {
        position += kept.length;
        kept = await read(Math.min(start - position, SKIPPED_BYTES));
      }
      const again = kept.subarray(start - position);
      kept = Buffer.concat([again, await read(Math.max(0, end - start - again.length))]);
      position = start;
      const value = Object.assign(kept.subarray(0, end - start), { size: end - start });
      return { value, done: end >= size };
    },
    close: () => {},
  };
}

const SKIPPED_BYTES = 1024 * 1024;

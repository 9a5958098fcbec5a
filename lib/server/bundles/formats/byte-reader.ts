/** Reads a stream of chunks by exact numbers of bytes. Throws a plain Error if the stream ends too early. */
export class ByteReader {
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

  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0;) missing -= (await this.#take(missing)).length;
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

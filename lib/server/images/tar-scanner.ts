export interface TarEntry {
  name: string;
  type: EntryType;
  linkName: string;
  /** Bytes of content. */
  size: number;
  /** Offset of the content from the tar's first byte. */
  offset: number;
}

export type Sink = (chunk: Buffer) => void;

/** Bytes. No honest pax header is larger. */
const MAX_EXTENSION = 1024 * 1024;

/** Linux opens no longer path. */
const MAX_PATH = 4096;

/**
 * Walks a tar that is pushed through it, in constant memory and without a stream per entry: a million entries must be
 * counted, and refused, in seconds. Throws a plain Error if the tar is malformed.
 */
export class TarScanner {
  #header = Buffer.alloc(BLOCK);
  #filled = 0;
  #offset = 0;
  #remaining = 0;
  #padding = 0;
  #sink: Sink | undefined;
  #zeroBlocks = 0;
  #extension: { flag: string; chunks: Buffer[] } | undefined;
  #next: { name?: string; linkName?: string; size?: number } = {};

  /** `onEntry` returns a sink if it needs the entry's content. */
  constructor(readonly onEntry: (entry: TarEntry) => Sink | undefined) {}

  push(chunk: Buffer): void {
    let at = 0;
    // Like engines: data after two blocks of zeros is not part of the tar.
    while (at < chunk.length && this.#zeroBlocks < 2) {
      const rest = chunk.length - at;
      const take = Math.min(rest, this.#remaining || this.#padding || BLOCK - this.#filled);
      const part = chunk.subarray(at, at + take);
      at += take;
      this.#offset += take;
      if (this.#remaining > 0) this.#content(part);
      else if (this.#padding > 0) this.#padding -= take;
      else this.#headerPart(part);
    }
  }

  /** Call after the last byte. */
  end(): void {
    if (this.#zeroBlocks < 2 && (this.#remaining > 0 || this.#filled > 0 || this.#extension !== undefined)) {
      throw new Error("it is truncated");
    }
  }

  #content(part: Buffer): void {
    this.#sink?.(part);
    this.#remaining -= part.length;
    if (this.#remaining === 0) this.#endExtension();
  }

  #headerPart(part: Buffer): void {
    part.copy(this.#header, this.#filled);
    this.#filled += part.length;
    if (this.#filled < BLOCK) return;
    this.#filled = 0;
    const header = readHeader(this.#header);
    if (header === undefined) {
      this.#zeroBlocks += 1;
    } else {
      if (this.#zeroBlocks > 0) throw new Error("an entry follows its end");
      this.#entry(header);
    }
  }

  #entry(header: TarHeader): void {
    if ("xgLK".includes(header.flag)) return this.#startExtension(header);
    if (header.flag === "S") throw new Error("it contains a sparse file");
    const name = this.#next.name ?? header.name;
    const linkName = this.#next.linkName ?? header.linkName;
    if (name.length > MAX_PATH || linkName.length > MAX_PATH)
      throw new Error("it contains a path of more than 4,096 characters");
    const type = readType({ ...header, name });
    const stored = this.#next.size ?? header.size;
    const size = type === "file" || (type === "other" && !"346".includes(header.flag)) ? stored : 0;
    const entry = { name, type, linkName, size, offset: this.#offset };
    this.#next = {};
    this.#start(size, this.onEntry(entry));
  }

  #start(size: number, sink: Sink | undefined): void {
    this.#remaining = size;
    this.#padding = (BLOCK - (size % BLOCK)) % BLOCK;
    this.#sink = sink;
  }

  #startExtension({ flag, size }: TarHeader): void {
    if (size > MAX_EXTENSION) throw new Error("a header is larger than 1 MiB");
    const chunks: Buffer[] = [];
    this.#extension = { flag, chunks };
    this.#start(size, (chunk) => void chunks.push(Buffer.from(chunk)));
    if (size === 0) this.#endExtension();
  }

  #endExtension(): void {
    if (this.#extension === undefined) return;
    const { flag, chunks } = this.#extension;
    this.#extension = undefined;
    const body = Buffer.concat(chunks);
    if (flag === "L") this.#next.name = readText(body, 0, body.length);
    if (flag === "K") this.#next.linkName = readText(body, 0, body.length);
    if (flag === "x") this.#applyPax(readPax(body));
  }

  #applyPax(records: Map<string, string>): void {
    for (const key of records.keys())
      if (key.startsWith("GNU.sparse.")) throw new Error("it contains a sparse file");
    const size = records.get("size");
    if (size !== undefined) this.#next.size = checkSize(/^\d+$/.test(size) ? Number(size) : NaN);
    this.#next.name = records.get("path") ?? this.#next.name;
    this.#next.linkName = records.get("linkpath") ?? this.#next.linkName;
  }
}

/** One 512-byte header of a tar, read as container engines read it (ustar, GNU and pax). */
type EntryType = "file" | "directory" | "symlink" | "link" | "other";

interface TarHeader {
  name: string;
  linkName: string;
  /** The raw type flag. */
  flag: string;
  size: number;
}

export const BLOCK = 512;

/** Undefined for a block of zeros. Throws a plain Error if the block is not a header. */
export function readHeader(block: Buffer): TarHeader | undefined {
  const sum = sumOf(block, 0, BLOCK);
  if (sum === 0) return undefined;
  // The checksum is computed with spaces in its own field.
  if (sum - sumOf(block, 148, 156) + 8 * 32 !== readNumber(block, 148, 8))
    throw new Error("a header has a wrong checksum");
  const ustar = block.toString("latin1", 257, 262) === "ustar";
  const gnu = block.toString("latin1", 257, 265) === "ustar  \0";
  const prefix = ustar && !gnu ? readText(block, 345, 155) : "";
  const name = readText(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    linkName: readText(block, 157, 100),
    flag: String.fromCharCode(block[156] ?? 0),
    size: readNumber(block, 124, 12),
  };
}

function readType({ flag, name }: TarHeader): EntryType {
  if (flag === "0" || flag === "\0" || flag === "7") return name.endsWith("/") ? "directory" : "file";
  return ({ "1": "link", "2": "symlink", "5": "directory" } as const)[flag] ?? "other";
}

/** The records of a pax header. The last one of a repeated key wins. */
function readPax(body: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(32, at);
    const length = space < 0 ? NaN : Number(body.toString("latin1", at, space));
    const end = at + length;
    if (!Number.isInteger(length) || end > body.length || end <= space + 1)
      throw new Error("a pax header is malformed");
    const record = body.toString("utf8", space + 1, end - 1);
    const equals = record.indexOf("=");
    if (equals < 1) throw new Error("a pax header is malformed");
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    // Engines refuse it too. Some would cut the path there.
    if ((key === "path" || key === "linkpath") && value.includes("\0"))
      throw new Error("a path contains a NUL character");
    records.set(key, value);
    at = end;
  }
  return records;
}

function readText(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** A plain loop, because it runs for up to a million headers. */
function sumOf(block: Buffer, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += block[at] ?? 0;
  return sum;
}

/** Octal, or base 256 when the first bit is set. */
function readNumber(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first >= 0x80) {
    let value = first & 0x7f;
    for (let at = start + 1; at < start + length; at += 1) value = value * 256 + (block[at] ?? 0);
    return checkSize(value);
  }
  const text = readText(block, start, length).trim();
  if (!/^[0-7]*$/.test(text)) throw new Error("a header contains an invalid number");
  return checkSize(text === "" ? 0 : Number.parseInt(text, 8));
}

function checkSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw new Error("a header contains an invalid size");
  return size;
}

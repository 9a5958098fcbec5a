export interface TarEntry {
  /** Its bytes, one character each: see `toText`. So is `linkName`. */
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

/** Linux opens no path of as many bytes, and no file with a longer name. */
const MAX_PATH = 4096;
const LONG_PART = /[^/]{256}/;
/** In messages. */
const SHOWN_PATH = 120;

/**
 * Walks a tar that is pushed through it, in constant memory and without a stream per entry: a million entries must be
 * counted, and refused, in seconds. What it reads is what every engine reads: it throws a plain Error for a tar that is malformed, and
 * for one that readers read differently, so that what is moderated is what runs.
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
  /** Flags of the extended headers since the last entry. */
  #extensions = "";
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

  /** Whether its end was read: what follows is not part of the tar. */
  get isEnded(): boolean {
    return this.#zeroBlocks === 2;
  }

  /** Call after the last byte. */
  end(): void {
    const isInside = this.#zeroBlocks < 2 && (this.#remaining > 0 || this.#filled > 0);
    if (isInside || this.#extensions !== "") throw new Error("it is truncated");
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
    const { flag } = header;
    if (EXTENSIONS.includes(flag)) return this.#startExtension(header);
    const name = this.#next.name ?? header.name;
    const linkName = this.#next.linkName ?? header.linkName;
    const entry = { name, linkName, type: readType(flag, name), offset: this.#offset };
    const size = this.#next.size ?? header.size;
    requireReadable(entry, size);
    this.#next = {};
    this.#extensions = "";
    this.#start(size, this.onEntry({ ...entry, size }));
  }

  #start(size: number, sink: Sink | undefined): void {
    this.#remaining = size;
    this.#padding = (BLOCK - (size % BLOCK)) % BLOCK;
    this.#sink = sink;
  }

  #startExtension({ flag, size }: TarHeader): void {
    if (size > MAX_EXTENSION) throw new Error("a header is larger than 1 MiB");
    this.#extensions += flag;
    if (!ORDERS.includes(this.#extensions))
      throw new Error("several extended headers precede one entry, which readers combine differently");
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
    if (flag === "L") this.#next.name = readLongText(body);
    if (flag === "K") this.#next.linkName = readLongText(body);
    if (flag === "x") this.#applyPax(readPax(body));
    if (flag !== "g") return;
    this.#extensions = "";
    for (const key of readPax(body).keys())
      if (["path", "linkpath", "size"].includes(key) || key.startsWith("GNU.sparse."))
        throw new Error(`a global header sets the ${key} of all entries, which only some readers apply`);
  }

  #applyPax(records: ReadonlyMap<string, string>): void {
    for (const key of records.keys())
      if (key.startsWith("GNU.sparse.")) throw new Error("it contains a sparse file");
    const size = records.get("size");
    if (size !== undefined) this.#next.size = checkSize(/^\d+$/.test(size) ? Number(size) : NaN);
    this.#next.name = records.get("path");
    this.#next.linkName = records.get("linkpath");
  }
}

/** Headers that say more about the next entry (x, L, K), or about all entries (g). */
const EXTENSIONS = "xgLK";

/** What may precede an entry. Readers agree on nothing else: which of two headers wins, or whether one in between ends the other. */
const ORDERS: readonly string[] = ["x", "g", "L", "K", "KL", "LK"];

/** Refuses what readers take for different things, and what no engine can create. */
function requireReadable({ name, linkName, type }: Omit<TarEntry, "size">, size: number): void {
  const refuse = (what: string) => new Error(`${toText(name).slice(0, SHOWN_PATH)} ${what}`);
  if (name.length >= MAX_PATH || linkName.length >= MAX_PATH)
    throw new Error("it contains a path of 4,096 bytes or more");
  if (name === "") throw new Error("an entry has no name");
  if (LONG_PART.test(name)) throw refuse("contains a name of more than 255 bytes");
  if (type === "file" && name.endsWith("/")) throw refuse("is a file whose name ends in a slash");
  if (type !== "file" && size > 0) throw refuse("has content, although it is no file");
  if ((type === "link" || type === "symlink") && linkName === "") throw refuse("is a link to nothing");
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

/** Undefined for a block of zeros. Throws a plain Error if the block is not a header, or one that readers read differently. */
export function readHeader(block: Buffer): TarHeader | undefined {
  const sum = sumOf(block, 0, BLOCK);
  if (sum === 0) return undefined;
  // The checksum is computed with spaces in its own field.
  if (sum - sumOf(block, 148, 156) + 8 * 32 !== readNumber(block, 148, 8))
    throw new Error("a header has a wrong checksum");
  const format = readFormat(block);
  for (const [start, length] of NUMBERS[format]) readNumber(block, start, length);
  const prefix = format === "ustar" ? readText(block, 345, 155) : "";
  const name = readText(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    linkName: readText(block, 157, 100),
    flag: String.fromCharCode(block[156] ?? 0),
    size: checkSize(readNumber(block, 124, 12)),
  };
}

type Format = "v7" | "ustar" | "gnu";

/** Where the numbers are that engines read: mode, owner, group and time; in newer formats the device; in GNU's, two more times. */
const V7_NUMBERS = [
  [100, 8],
  [108, 8],
  [116, 8],
  [136, 12],
] as const;
const DEVICE = [
  [329, 8],
  [337, 8],
] as const;
const NUMBERS: Record<Format, readonly (readonly [start: number, length: number])[]> = {
  v7: V7_NUMBERS,
  ustar: [...V7_NUMBERS, ...DEVICE],
  gnu: [...V7_NUMBERS, ...DEVICE, [345, 12], [357, 12]],
};

function readFormat(block: Buffer): Format {
  const magic = block.toString("latin1", 257, 265);
  if (magic === "ustar  \0") return "gnu";
  // Of star's own format, which has other fields in place of the end of the prefix.
  const isStar = block.toString("latin1", 508, 512) === "tar\0";
  if (magic === "ustar\x0000" && !isStar) return "ustar";
  if (magic === "\0".repeat(8) && sumOf(block, 345, 500) === 0) return "v7";
  throw new Error("a header is of an unknown format");
}

function readType(flag: string, name: string): EntryType {
  if (flag === "\0") return name.endsWith("/") ? "directory" : "file";
  const type = TYPES[flag];
  if (type !== undefined) return type;
  const shown = toText(name).slice(0, SHOWN_PATH);
  if (flag === "S") throw new Error(`${shown} is a sparse file`);
  throw new Error(`${shown} is of the type ${JSON.stringify(flag)}, which engines refuse`);
}

const TYPES: Partial<Record<string, EntryType>> = {
  "0": "file",
  "1": "link",
  "2": "symlink",
  "3": "other",
  "4": "other",
  "5": "directory",
  "6": "other",
};

/** What a record must look like. Engines refuse others; of an empty value, they take the one in the next header instead. */
const VALUES: Partial<Record<string, RegExp>> = {
  path: /^[^\0]+$/,
  linkpath: /^[^\0]+$/,
  size: /^\d+$/,
  uid: /^-?\d+$/,
  gid: /^-?\d+$/,
  uname: /^[^\0]*$/,
  gname: /^[^\0]*$/,
  mtime: /^-?\d+(\.\d*)?$/,
  atime: /^-?\d+(\.\d*)?$/,
  ctime: /^-?\d+(\.\d*)?$/,
};

/** The records of a pax header, by key. */
function readPax(body: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  let at = 0;
  while (at < body.length) {
    const space = body.indexOf(32, at);
    const digits = space < 0 ? "" : body.toString("latin1", at, space);
    const end = at + Number(digits);
    if (!/^[1-9]\d{0,9}$/.test(digits) || end > body.length || end <= space + 1 || body[end - 1] !== 10)
      throw new Error("a pax header is malformed");
    const record = body.toString("latin1", space + 1, end - 1);
    const equals = record.indexOf("=");
    const [key, value] = [record.slice(0, equals), record.slice(equals + 1)];
    if (equals < 1 || key.includes("\0")) throw new Error("a pax header is malformed");
    if (!(VALUES[key] ?? /^/).test(value)) throw new Error(`a pax header has an invalid ${key}`);
    if (records.has(key)) throw new Error(`a pax header has several of ${toText(key).slice(0, SHOWN_PATH)}`);
    records.set(key, value);
    at = end;
  }
  return records;
}

/** Text as it is in the tar, one character for each byte: names that differ in one byte stay different names. */
function readText(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end < 0 ? field.length : end);
}

/** Of a GNU header. Some readers would take what follows a NUL. */
function readLongText(body: Buffer): string {
  const text = readText(body, 0, body.length);
  if (body.subarray(text.length).some((byte) => byte !== 0))
    throw new Error("a path contains a NUL character");
  if (text === "") throw new Error("a header contains an empty path");
  return text;
}

/** For people: the text that the bytes of a name stand for. */
export function toText(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

/** The name of an entry that a document gives as text. */
export function toName(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** A plain loop, because it runs for up to a million headers. */
function sumOf(block: Buffer, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += block[at] ?? 0;
  return sum;
}

/** Octal, or base 256 when the first bit is set. Digits after a NUL are digits to some readers only. */
function readNumber(block: Buffer, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first >= 0x80) {
    // Negative in two's complement: only times may be, and nothing here needs them.
    const isNegative = first === 0xff;
    if (!isNegative && first !== 0x80) throw new Error("a header contains an invalid number");
    let value = 0;
    for (let at = start + 1; at < start + length; at += 1) value = value * 256 + (block[at] ?? 0);
    return isNegative ? -1 : value;
  }
  const end = start + length;
  let at = start;
  let value = 0;
  while (at < end && block[at] === SPACE) at += 1;
  for (let byte = block[at] ?? 0; at < end && byte >= ZERO && byte < ZERO + 8; byte = block[at] ?? 0) {
    value = value * 8 + byte - ZERO;
    at += 1;
  }
  while (at < end && (block[at] === SPACE || block[at] === 0)) at += 1;
  if (at < end) throw new Error("a header contains an invalid number");
  return value;
}

const SPACE = 0x20;
const ZERO = 0x30;

function checkSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw new Error("a header contains an invalid size");
  return size;
}

import { readPax } from "./pax-records";
import { BLOCK, readHeader, type TarHeader } from "./tar-header";
import { readText, showPath } from "./tar-text";

/** `global`: a pax header of all entries. Readers use nothing of it, but some engines take its name for an entry's. */
type EntryType = "file" | "directory" | "symlink" | "link" | "other" | "global";

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
  #extension: { header: TarHeader; chunks: Buffer[] } | undefined;
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
    if (this.#offset === BLOCK) requirePlain(this.#header);
    const header = readHeader(this.#header);
    if (header === undefined) {
      this.#zeroBlocks += 1;
    } else {
      if (this.#zeroBlocks > 0) throw new Error("an entry follows its end");
      this.#entry(header);
    }
  }

  #entry(header: TarHeader): void {
    const { flag, isNullDevice } = header;
    if (EXTENSIONS.includes(flag)) return this.#startExtension(header);
    const name = this.#next.name ?? header.name;
    const linkName = this.#next.linkName ?? header.linkName;
    const entry = { name, linkName, type: readType(flag, name), offset: this.#offset };
    const size = this.#next.size ?? header.size;
    requireReadable(entry, size);
    if (isNullDevice)
      throw new Error(`${showPath(name)} is a device that engines take for the mark of a removed file`);
    this.#next = {};
    this.#extensions = "";
    this.#start(size, this.onEntry({ ...entry, size }));
  }

  #start(size: number, sink: Sink | undefined): void {
    this.#remaining = size;
    this.#padding = (BLOCK - (size % BLOCK)) % BLOCK;
    this.#sink = sink;
  }

  #startExtension(header: TarHeader): void {
    const { flag, size } = header;
    if (size > MAX_EXTENSION) throw new Error("a header is larger than 1 MiB");
    this.#extensions += flag;
    if (!ORDERS.includes(this.#extensions))
      throw new Error("several extended headers precede one entry, which readers combine differently");
    const chunks: Buffer[] = [];
    this.#extension = { header, chunks };
    this.#start(size, (chunk) => void chunks.push(Buffer.from(chunk)));
    if (size === 0) this.#endExtension();
  }

  #endExtension(): void {
    if (this.#extension === undefined) return;
    const { header, chunks } = this.#extension;
    const { flag, name } = header;
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
    const entry = { name, type: "global", linkName: "", size: 0, offset: this.#offset } as const;
    requireReadable(entry, 0);
    this.onEntry(entry);
  }

  #applyPax(records: ReadonlyMap<string, string>): void {
    for (const key of records.keys())
      if (key.startsWith("GNU.sparse.")) throw new Error("it contains a sparse file");
    const size = records.get("size");
    if (size !== undefined) {
      this.#next.size = Number(size);
      if (!Number.isSafeInteger(this.#next.size)) throw new Error("a pax header has an invalid size");
    }
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
  const refuse = (what: string) => new Error(`${showPath(name)} ${what}`);
  if (name.length >= MAX_PATH || linkName.length >= MAX_PATH)
    throw new Error("it contains a path of 4,096 bytes or more");
  if (name === "") throw new Error("an entry has no name");
  if (LONG_PART.test(name)) throw refuse("contains a name of more than 255 bytes");
  if (type === "file" && name.endsWith("/")) throw refuse("is a file whose name ends in a slash");
  if (type !== "file" && size > 0) throw refuse("has content, although it is not a file");
  if ((type === "link" || type === "symlink") && linkName === "") throw refuse("is a link to nothing");
}

function readType(flag: string, name: string): EntryType {
  if (flag === "\0") return name.endsWith("/") ? "directory" : "file";
  const type = TYPES[flag];
  if (type !== undefined) return type;
  if (flag === "S") throw new Error(`${showPath(name)} is a sparse file`);
  throw new Error(`${showPath(name)} is of the type ${JSON.stringify(flag)}, which engines refuse`);
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

/** Of a GNU header. Some readers would take what follows a NUL. */
function readLongText(body: Buffer): string {
  const text = readText(body, 0, body.length);
  if (body.subarray(text.length).some((byte) => byte !== 0))
    throw new Error("a path contains a NUL character");
  if (text === "") throw new Error("a header contains an empty path");
  return text;
}

/** Some engines unpack a tar once more whose first bytes, which are a name, are those of a compressed file. */
function requirePlain(start: Buffer): void {
  const text = start.toString("latin1", 0, 6);
  if (MAGICS.some((magic) => text.startsWith(magic)) || start.readUInt32LE() >>> 4 === SKIPPABLE)
    throw new Error(
      `it begins with ${showPath(readText(start, 0, 100))}, a name that engines take for a compressed file`,
    );
}

/** Of gzip, bzip2, xz and Zstandard. */
const MAGICS: readonly string[] = ["\x1f\x8b", "BZh", "\xfd7zXZ\0", "(\xb5/\xfd"];
/** A frame of Zstandard that decoders skip. */
const SKIPPABLE = 0x184d2a5;

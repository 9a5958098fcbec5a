/** One 512-byte header of a tar, read as container engines read it (ustar, GNU and pax). */
export type EntryType = "file" | "directory" | "symlink" | "link" | "other";

export interface TarHeader {
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

export function readType({ flag, name }: TarHeader): EntryType {
  if (flag === "0" || flag === "\0" || flag === "7") return name.endsWith("/") ? "directory" : "file";
  return ({ "1": "link", "2": "symlink", "5": "directory" } as const)[flag] ?? "other";
}

/** The records of a pax header. The last one of a repeated key wins. */
export function readPax(body: Buffer): Map<string, string> {
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

export function readText(bytes: Buffer, start: number, length: number): string {
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

export function checkSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw new Error("a header contains an invalid size");
  return size;
}

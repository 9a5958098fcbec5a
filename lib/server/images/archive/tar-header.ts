/**
 * One 512-byte header of a tar, read as container engines read it (ustar, GNU and pax), or refused: a field that some reader can't
 * parse changes more than its own value. Go, for example, takes GNU's times for the beginning of the name if one of them is not a number.
 */
import { readText, showPath } from "./tar-text";

export interface TarHeader {
  /** Its bytes, one character each. So is `linkName`. */
  name: string;
  linkName: string;
  /** The raw type flag. */
  flag: string;
  size: number;
  /** Character device 0, 0: file systems of engines take it for the mark of a removed file. */
  isNullDevice: boolean;
}

export const BLOCK = 512;

/** Undefined for a block of zeros. Throws a plain Error if the block is not a header, or one that readers read differently. */
export function readHeader(block: Buffer): TarHeader | undefined {
  const sum = sumOf(block, 0, BLOCK);
  if (sum === 0) return undefined;
  // The checksum is computed with spaces in its own field.
  if (sum - sumOf(block, 148, 156) + 8 * 32 !== readOctal(block, 148, 8))
    throw new Error("a header has a wrong checksum");
  const format = readFormat(block);
  for (const field of NUMBERS[format]) requireNumber(block, field);
  const prefix = format === "ustar" ? readText(block, 345, 155) : "";
  const name = readText(block, 0, 100);
  const flag = String.fromCharCode(block[156] ?? 0);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    linkName: readText(block, 157, 100),
    flag,
    size: requireNumber(block, SIZE),
    isNullDevice:
      flag === "3" && (format === "v7" || DEVICE.every((field) => requireNumber(block, field) === 0)),
  };
}

type Format = "v7" | "ustar" | "gnu";

interface NumberField {
  what: string;
  start: number;
  length: number;
  least: number;
  most: number;
}

/** What engines hand to the system. More would be cut off there. */
const WORD = { least: 0, most: 2 ** 32 - 1 };
/** Seconds, which may be before 1970. */
const TIME = { least: -(2 ** 63), most: 2 ** 63 };

const SIZE: NumberField = { what: "size", start: 124, length: 12, least: 0, most: Number.MAX_SAFE_INTEGER };
const V7_NUMBERS: readonly NumberField[] = [
  { what: "mode", start: 100, length: 8, ...WORD },
  { what: "owner", start: 108, length: 8, ...WORD },
  { what: "group", start: 116, length: 8, ...WORD },
  SIZE,
  { what: "time", start: 136, length: 12, ...TIME },
];
const DEVICE: readonly NumberField[] = [
  { what: "device", start: 329, length: 8, ...WORD },
  { what: "device", start: 337, length: 8, ...WORD },
];

/** The numbers that engines read. */
const NUMBERS: Record<Format, readonly NumberField[]> = {
  v7: V7_NUMBERS,
  ustar: [...V7_NUMBERS, ...DEVICE],
  gnu: [
    ...V7_NUMBERS,
    ...DEVICE,
    { what: "access time", start: 345, length: 12, ...TIME },
    { what: "change time", start: 357, length: 12, ...TIME },
  ],
};

function readFormat(block: Buffer): Format {
  const magic = block.toString("latin1", 257, 265);
  if (magic === "ustar  \0") return "gnu";
  // Of star's own format, which has other fields in place of the end of the prefix.
  const isStar = block.toString("latin1", 508, 512) === "tar\0";
  if (magic === "ustar\x0000" && !isStar) return "ustar";
  if (magic === "\0".repeat(8) && sumOf(block, 345, 500) === 0) return "v7";
  throw new Error(`${showPath(readText(block, 0, 100))} has a header of an unknown format`);
}

function requireNumber(block: Buffer, { what, start, length, least, most }: NumberField): number {
  const isBinary = (block[start] ?? 0) >= 0x80;
  const value = isBinary ? readBase256(block, start, length) : readOctal(block, start, length);
  if (value !== undefined && value >= least && value <= most) return value;
  throw new Error(`${showPath(readText(block, 0, 100))} has an invalid ${what} in its header`);
}

/**
 * A number in two's complement behind one byte that gives the sign. Undefined unless it fits into 64 bits: what is larger is an error
 * to some readers, and others take a part of it.
 */
function readBase256(block: Buffer, start: number, length: number): number | undefined {
  const sign = block[start];
  if (sign !== 0x80 && sign !== 0xff) return undefined;
  const [fill, first] = sign === 0xff ? [0xff, -1] : [0, 0];
  const end = start + length;
  for (let at = start + 1; at < end - 8; at += 1) if (block[at] !== fill) return undefined;
  if (length > 8 && ((block[end - 8] ?? 0) & 0x80) !== (fill & 0x80)) return undefined;
  let value = first;
  for (let at = Math.max(start + 1, end - 8); at < end; at += 1) value = value * 256 + (block[at] ?? 0);
  return value;
}

/** Undefined if it is not a number. Digits after a NUL are digits to some readers only. */
function readOctal(block: Buffer, start: number, length: number): number | undefined {
  const end = start + length;
  let at = start;
  let value = 0;
  while (at < end && block[at] === SPACE) at += 1;
  for (let byte = block[at] ?? 0; at < end && byte >= ZERO && byte < ZERO + 8; byte = block[at] ?? 0) {
    value = value * 8 + byte - ZERO;
    at += 1;
  }
  while (at < end && (block[at] === SPACE || block[at] === 0)) at += 1;
  return at < end ? undefined : value;
}

const SPACE = 0x20;
const ZERO = 0x30;

/** A plain loop, because it runs for up to a million headers. */
function sumOf(block: Buffer, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += block[at] ?? 0;
  return sum;
}

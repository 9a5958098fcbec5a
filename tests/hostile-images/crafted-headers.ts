/** Headers whose numbers, formats and prefixes readers may take for different things. */
import type { Pick, RawHeader } from "./raw-entry";

/** Where a header has numbers, in any of the formats. */
const FIELDS: readonly (readonly [start: number, length: number])[] = [
  ...([
    [100, 8],
    [108, 8],
    [116, 8],
    [124, 12],
    [136, 12],
    [148, 8],
    [329, 8],
    [337, 8],
  ] as const),
  // Of GNU's format: two times, an offset, and the real size. In star's: two times.
  ...([
    [345, 12],
    [357, 12],
    [369, 12],
    [483, 12],
    [476, 12],
    [488, 12],
  ] as const),
];

/** A number in a field of this length, in ways that readers may or may not agree on. */
export function craftNumber(pick: Pick, length: number): Buffer {
  const octal = (digits: string, end: string) => digits.padStart(length - end.length, "0") + end;
  const binary = (first: number, fill: number, ...last: number[]) => {
    const bytes = Buffer.alloc(length, fill);
    bytes[0] = first;
    Buffer.from(last).copy(bytes, length - last.length);
    return bytes;
  };
  const value = pick<() => string | Buffer>([
    () => octal("1", pick(["\0", " ", " \0", "\0 ", "\0\0", ""])),
    () => "7".repeat(length),
    () =>
      pick(["1", " 1", "   1 ", "\x001", "\0 1", "", " ", " \0 ", "8", "9\0", "zz"]).padEnd(
        length,
        pick(["\0", " "]),
      ),
    () =>
      pick(["-1", "+1", "0x1", "0o1", "1_0", "1 2", "1\x002", "1.5", "1e1", "\u00e9"]).padEnd(length, "\0"),
    () => binary(0x80, 0, pick([0, 1, 5])),
    () => binary(0x80, 0, 0x7f, ...Array.from({ length: 6 }, () => 0xff)),
    () => binary(0x80, 0, pick([0x7f, 0x80]), 0, 0, 0, 0, 0, 0, pick([0, 1])).subarray(0, length),
    () => binary(0xff, 0xff, pick([0xff, 0xfe, 0])),
    () => binary(0xff, 0xff, pick([0x7f, 0x80]), 0, 0, 0, 0, 0, 0, 0).subarray(0, length),
    () => binary(0xff, 0, pick([0, 1])),
    () => binary(0x80, 0xff),
    () => binary(pick([0x81, 0x9f, 0xbf, 0xc0, 0xfe]), pick([0, 0xff]), 1),
    () => Buffer.from(Array.from({ length }, () => pick([0, 0x20, 0x30, 0x31, 0x37, 0x38, 0x80, 0xff]))),
  ])();
  return Buffer.from(value).subarray(0, length);
}

const MAGICS = [
  ...["ustar\x0000", "ustar\x0000", "ustar  \0", "ustar  \0", "\0\0\0\0\0\0\0\0"],
  ...["ustar 00", "ustar\x0011", "ustar  0", "ustar\0\0\0", "USTAR\x0000", "GNUtar \0"],
];

const PREFIXES = [
  "d",
  "1",
  "a/b",
  ".",
  "..",
  "\u00e9",
  "1\x00zz",
  "d/e\0f",
  "x".repeat(155),
  "00000000000\x0000000000000",
];

/** Random choices for up to three parts of a header; the rest is as it should be. */
export function craftHeader(pick: Pick, name: string, content: string): RawHeader {
  const fields: Record<number, Buffer> = {};
  for (let left = pick([0, 1, 1, 2, 3]); left > 0; left -= 1) {
    const [start, length] = pick(FIELDS);
    fields[start] = craftNumber(pick, length);
  }
  if (pick([true, false, false])) fields[345] ??= Buffer.from(pick(PREFIXES));
  if (pick([true, false, false, false, false, false])) fields[508] = Buffer.from("tar\0");
  const type = pick(["0", "0", "0", "\0", "5", "2", "3", "x", "g", "L"]);
  const isExtension = "xgL".includes(type);
  return {
    name: isExtension ? "extension" : name,
    type,
    content:
      type === "x" || type === "g" ? "12 mtime=10\n" : "50236".includes(type) && type !== "0" ? "" : content,
    link: type === "2" ? "target" : "",
    magic: pick(MAGICS),
    checksum: pick(["right", "right", "right", "right", "signed", "binary", "spaces"]),
    fields,
  };
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { findInvalidUtf8 } from "./utf8";

test.each<[string, number[], number | undefined]>([
  ["nothing", [], undefined],
  ["ASCII", [0x7b, 0x7d], undefined],
  ["all lengths", [...Buffer.from("aé€😀")], undefined],
  ["Latin-1", [0x63, 0x61, 0x66, 0xe9], 3],
  ["a sequence that is cut", [0x61, 0xe2, 0x82], 1],
  ["a sequence that is cut by another character", [0xe2, 0x82, 0x61], 0],
  ["a byte that only continues", [0x61, 0x80], 1],
  ["an overlong slash", [0x61, 0x62, 0xc0, 0xaf], 2],
  ["half of a surrogate pair", [0xed, 0xa0, 0x80], 0],
  ["beyond the last character", [0x61, 0xf4, 0x90, 0x80, 0x80], 1],
])("%s", (_what, bytes, offset) => {
  expect(findInvalidUtf8(Buffer.from(bytes))).toBe(offset);
});

// Guarantee: the offset is the one of the byte that is wrong, wherever it is, and whatever precedes it.
test("a wrong byte anywhere in a text is found where it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.nat(),
      fc.constantFrom(0xff, 0x80, 0xc3),
      (text, at, byte) => {
        const characters = [...text];
        const before = Buffer.from(characters.slice(0, at % (characters.length + 1)).join(""));
        const after = Buffer.from(characters.slice(at % (characters.length + 1)).join(""));
        expect(findInvalidUtf8(Buffer.concat([before, Buffer.from([byte]), Buffer.from("{"), after]))).toBe(
          before.length,
        );
      },
    ),
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { describeText, editShown, hasLineBreak, replaceShown, toLineFeeds, trimBlank } from "./exact-text";

const say = (text: string) => [describeText(text).size, ...describeText(text).notes].join(", ");

/** What a text is made of: what can be seen, and what can't. */
const pieces = fc.constantFrom(
  ..."aZ09+/=-é한😀 \t\n\r\u00A0\u3000\uFEFF\u200B\u200D\u2060\u202E\u200F\u2028\u0000\u0007\u001B\u007F\u201C\u2019\u00AD\uD800",
  "\r\n",
);
const texts = fc.array(pieces, { maxLength: 40 }).map((each) => each.join(""));

describe("describeText", () => {
  test.each([
    ["", "0 characters"],
    ["a", "1 character"],
    ["sk_live_123 ", "12 characters, ends with a space"],
    ["  key", "5 characters, starts with 2 spaces"],
    ["key\n", "1 line, 4 characters, ends with a line break"],
    [
      "key\r\n\r\n",
      "2 lines, 7 characters, ends with 2 line breaks, Windows line breaks (CRLF), which are kept",
    ],
    ["a\r\nb\nc", "3 lines, 6 characters, different kinds of line breaks, which are kept"],
    ["a\rb", "2 lines, 3 characters, carriage returns as line breaks, which are kept"],
    ["\uFEFFkey", "4 characters, starts with a byte order mark, 1 byte order mark"],
    ["k\u00A0e\u202Fy", "5 characters, 2 no-break spaces"],
    ["k\u3000ey", "4 characters, 1 unusual space"],
    ["ke\u200By\u2060s", "6 characters, 2 zero-width characters"],
    ["k\u00ADe\uFE0Fy\u{E0041}", "6 characters, 3 zero-width characters"],
    ["\u202Ekey\u200F", "5 characters, 2 text direction marks"],
    ["k\tey\t", "5 characters, ends with a tab, 2 tabs"],
    ["\u201Ckey\u2019", "5 characters, 2 curly quotes"],
    ["k\u0007e\u001By\u0085", "6 characters, 3 control characters"],
    ["key–42—7", "8 characters, 2 typographic dashes"],
    ["key\u2011a\u2212b\uFF0D", "8 characters, 3 typographic dashes"],
    ["k′e″y", "5 characters, 2 typographic quotes or primes"],
    ["‹key› «a»", "9 characters, 4 typographic quotes or primes"],
    ["＂key＇", "5 characters, 2 typographic quotes or primes"],
    ["key…", "4 characters, 1 ellipsis character"],
    ["k\u2800ey\u2800", "5 characters, ends with a blank character, 2 unusual spaces"],
    ["\u3164key", "4 characters, starts with a blank character, 1 zero-width character"],
    ["e\u0301", "2 characters, 1 combining accent"],
    ["ｋey＝𝐤", "5 characters, 3 look-alike characters"],
    ["kеy", "3 characters, 1 look-alike character"],
    ["ключ", "4 characters"],
    ["pässwörd-ñ", "10 characters"],
    ["k\uFFFDey\uE000", "5 characters, 2 broken characters"],
    ["k\u2028ey", "4 characters, 1 line separator"],
    ["k\uD800", "2 characters, 1 broken character"],
    ["😀", "1 character"],
    ["   ", "3 characters, starts with 3 spaces"],
    [`${"x".repeat(60)}\n`.repeat(28) + " ", "29 lines, 1,709 characters, ends with 2 blank characters"],
  ])("text %#", (text, expected) => expect(say(text)).toBe(expected));

  test("it is the same for every text with other visible characters", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(say(text.replaceAll(/[aZ09+/=é한-]/g, "x"))).toBe(say(text));
      }),
    );
  });

  test("each character that Unicode says draws nothing, and each kind of space, dash and quote is named", () => {
    const drawn = /^[ \r\n"'-]$/;
    const unnamed = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
      (character) =>
        /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Pd}\p{Pi}\p{Pf}\p{Quotation_Mark}]/u.test(
          character,
        ) &&
        !drawn.test(character) &&
        describeText(`k${character}y`).notes.length === 0,
    );
    expect(unnamed.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  });

  test("each character that Unicode says is written as one of ASCII is named", () => {
    const unnamed = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
      (character) =>
        character > "~" &&
        /^[!-~]$/.test(character.normalize("NFKC")) &&
        describeText(`k${character}y`).notes.length === 0,
    );
    expect(unnamed).toEqual([]);
  });

  test("whatever can't be seen is named", () => {
    fc.assert(
      fc.property(texts, pieces, texts, (before, piece, after) => {
        fc.pre(/[\p{Cc}\p{Cf}\p{Zs}\p{Zl}]/u.test(piece) && !/^[ \r\n]+$/.test(piece));
        expect(describeText(before + piece + after).notes).not.toEqual([]);
      }),
    );
  });
});

describe("trimBlank", () => {
  test.each([
    [" key ", "key"],
    ["\uFEFF-----BEGIN KEY-----\r\nA B\r\n", "-----BEGIN KEY-----\r\nA B"],
    ["\u200B\u00A0\tk e y\u2060\u3000\n", "k e y"],
    ["\u202Ekey\u202C", "\u202Ekey\u202C"],
    ["  ", ""],
  ])("%j becomes %j", (text, expected) => expect(trimBlank(text)).toBe(expected));

  test("it only takes away from the ends, and nothing the second time", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const trimmed = trimBlank(text);
        expect(text).toContain(trimmed);
        expect(trimBlank(trimmed)).toBe(trimmed);
        expect(describeText(trimmed).notes.filter((note) => /^(starts|ends) with/.test(note))).toEqual([]);
      }),
    );
  });

  test("a long text with long blank runs takes no time", async () => {
    const text = `${" ".repeat(50_000)}x${" ".repeat(50_000)}x`;
    expect(await cpuTime(() => expect(trimBlank(text)).toBe(text.trim()))).toBeLessThan(500);
  });
});

describe("line breaks", () => {
  test("what is shown and not changed is the same text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(editShown(text, toLineFeeds(text))).toBe(text);
      }),
    );
  });

  test("an edit shows what was typed, and keeps the line breaks around it", () => {
    fc.assert(
      fc.property(texts, texts, (text, other) => {
        const shown = toLineFeeds(other);
        expect(toLineFeeds(editShown(text, shown))).toBe(shown);
      }),
    );
    expect(editShown("a\r\nb\nc\r\nd", "a\nb\nX\nd")).toBe("a\r\nb\nX\r\nd");
    expect(editShown("a\r\nb", "a\nb\nc")).toBe("a\r\nb\r\nc");
    expect(editShown("a\nb", "a\nb\nc")).toBe("a\nb\nc");
  });

  test("what is pasted over a selection keeps its own", () => {
    expect(replaceShown("a\r\nb\r\nc", 2, 3, "1\n2")).toBe("a\r\n1\n2\r\nc");
    expect(hasLineBreak("a\rb")).toBe(true);
    expect(hasLineBreak("a b\u2028c")).toBe(false);
  });
});

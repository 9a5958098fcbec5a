import { describe, expect, test } from "vitest";
import { deriveValue } from "@/lib/domain/catalog/manifest/entry";
import { cpuTime } from "@/tests/cpu-time";
import { isTable, keepRows, parsePastedValues, type ValueRow } from "./values-edit";

const item = (text: string) => ({ text, value: text });
const rows = (...texts: string[]) => keepRows([], texts.map(item));
const after = (before: readonly ValueRow[], ...texts: string[]) => keepRows(before, texts.map(item));
const ids = (list: readonly ValueRow[]) => list.map(({ id }) => id);

describe("a row keeps its id", () => {
  const before = rows("a", "b", "c", "d");
  const [a, b, c, d] = ids(before);

  test("while it is edited", () => {
    expect(ids(after(before, "a", "bx", "c", "d"))).toEqual([a, b, c, d]);
  });

  test("when another row is removed", () => {
    expect(ids(after(before, "b", "c", "d"))).toEqual([b, c, d]);
    expect(ids(after(before, "a", "c", "d"))).toEqual([a, c, d]);
    expect(ids(after(before, "a", "b", "c"))).toEqual([a, b, c]);
  });

  test("when it moves", () => {
    expect(ids(after(before, "d", "a", "b", "c"))).toEqual([d, a, b, c]);
    expect(ids(after(before, "b", "c", "d", "a"))).toEqual([b, c, d, a]);
  });

  test("when others are added", () => {
    const longer = ids(after(before, "a", "x", "y", "b", "c", "d"));
    expect([longer[0], ...longer.slice(3)]).toEqual([a, b, c, d]);
    expect(new Set(longer).size).toBe(6);
  });
});

test("a blank row becomes the first pasted row", () => {
  const before = rows("a", "", "b");
  const [a, blank, b] = ids(before);
  const pasted = ids(after(before, "a", "x", "y", "z", "b"));
  expect([pasted[0], pasted[1], pasted[4]]).toEqual([a, blank, b]);
  expect(new Set(pasted).size).toBe(5);
});

test("unchanged rows are the same objects, so that they are not rendered again", () => {
  const before = rows("a", "b", "c");
  const next = after(before, "a", "x", "c");
  expect(next[0]).toBe(before[0]);
  expect(next[1]).not.toBe(before[1]);
  expect(next[2]).toBe(before[2]);
  expect(after(before, "a", "b", "c")).toBe(before);
});

test("equal values have different ids", () => {
  expect(new Set(ids(after(rows("a", "a"), "a", "a", "a"))).size).toBe(3);
});

test("items of any type are rows", () => {
  const odd = keepRows([], [null, 5, "x", [], { text: 1 }]);
  expect(odd.map(({ isRecord, text }) => [isRecord, text])).toEqual([
    [false, undefined],
    [false, undefined],
    [false, undefined],
    [false, undefined],
    [true, 1],
  ]);
});

const pairs = (text: string, taken?: string[]) =>
  parsePastedValues(text, taken).values.map(({ text, value }) => `${text} = ${value}`);

test("lines become texts with derived values", () => {
  expect(parsePastedValues("Europe\nNorth America\r\n\n  Asia  \n")).toEqual({
    values: [
      { text: "Europe", value: "europe" },
      { text: "North America", value: "north-america" },
      { text: "Asia", value: "asia" },
    ],
    derived: 3,
    hasMore: false,
  });
});

test("two spreadsheet columns become text and value", () => {
  expect(parsePastedValues("Europe\tEU\nAmerica\tUS\n")).toMatchObject({
    values: [
      { text: "Europe", value: "EU" },
      { text: "America", value: "US" },
    ],
    derived: 0,
  });
});

test("an empty cell is derived from the other column", () => {
  expect(pairs("Europe\t\n\tus\n\t\n")).toEqual(["Europe = europe", "us = us"]);
});

test("a third column is left out and reported", () => {
  expect(parsePastedValues("a\tb\tc")).toEqual({
    values: [{ text: "a", value: "b" }],
    derived: 0,
    hasMore: true,
  });
  expect(parsePastedValues("a\tb\t\t").hasMore).toBe(false);
});

test("a header row is left out", () => {
  expect(pairs("Text\tValue\nEurope\teu")).toEqual(["Europe = eu"]);
});

describe("quotes of spreadsheets", () => {
  test("are removed, doubled ones become single, and line breaks become spaces", () => {
    expect(pairs('"Say ""hi"""\thi\n"Two\nlines"\ttwo')).toEqual(['Say "hi" = hi', "Two lines = two"]);
  });

  test("in a CSV file split it at commas or semicolons", () => {
    expect(pairs('"Europe","eu"\n"Smith, John","sj"')).toEqual(["Europe = eu", "Smith, John = sj"]);
    expect(pairs('"Europe";"eu"\r\n"Asia";"as"')).toEqual(["Europe = eu", "Asia = as"]);
  });

  test("that are part of the text stay", () => {
    expect(pairs('"Big" house\nSmith, John\n"open')).toEqual([
      '"Big" house = big-house',
      "Smith, John = smith-john",
      '"open = open',
    ]);
  });
});

test("derived values differ from each other and from existing ones", () => {
  expect(pairs("A+\nA-\nB", ["b"])).toEqual(["A+ = a", "A- = a-2", "B = b-2"]);
});

test("Latin texts get ASCII values, and other texts are their own values", () => {
  expect(["Håbor & Söhne", "Größe", "日本", "  ", "Ørsted"].map(deriveValue)).toEqual([
    "habor-sohne",
    "grosse",
    "日本",
    "",
    "orsted",
  ]);
});

test("a single word is not a table, even with a trailing line break", () => {
  expect(["Europe", "Europe\r\n", "a\tb", "a\nb"].map(isTable)).toEqual([false, false, true, true]);
});

test("a megabyte of quotes, or of the same line, is parsed quickly", async () => {
  const texts = ['"'.repeat(200_000), '"\n'.repeat(50_000), "a\n".repeat(100_000)];
  expect(await cpuTime(() => texts.forEach((text) => parsePastedValues(text)))).toBeLessThan(5_000);
});

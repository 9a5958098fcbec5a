import { describe, expect, test } from "vitest";
import { isTable, parsePastedValues, valueOf } from "./paste-values";

const pairs = (text: string, taken?: string[]) =>
  parsePastedValues(text, taken).values.map(({ text, value }) => `${text} = ${value}`);

test("lines become values whose stored half is made from the text", () => {
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

test("two spreadsheet columns are text and value, as they are", () => {
  expect(parsePastedValues("Europe\tEU\nAmerica\tUS\n")).toMatchObject({
    values: [
      { text: "Europe", value: "EU" },
      { text: "America", value: "US" },
    ],
    derived: 0,
  });
});

test("an empty half is made from the other", () => {
  expect(pairs("Europe\t\n\tus\n\t\n")).toEqual(["Europe = europe", "us = us"]);
});

test("a third column is left out, and that is said", () => {
  expect(parsePastedValues("a\tb\tc")).toEqual({
    values: [{ text: "a", value: "b" }],
    derived: 0,
    hasMore: true,
  });
  expect(parsePastedValues("a\tb\t\t").hasMore).toBe(false);
});

test("a heading of the two columns is no value", () => {
  expect(pairs("Text\tValue\nEurope\teu")).toEqual(["Europe = eu"]);
});

describe("quotes of spreadsheets", () => {
  test("are taken off, with the doubled ones within made single and line breaks made blanks", () => {
    expect(pairs('"Say ""hi"""\thi\n"Two\nlines"\ttwo')).toEqual(['Say "hi" = hi', "Two lines = two"]);
  });

  test("of a CSV file split at its comma or semicolon", () => {
    expect(pairs('"Europe","eu"\n"Smith, John","sj"')).toEqual(["Europe = eu", "Smith, John = sj"]);
    expect(pairs('"Europe";"eu"\r\n"Asia";"as"')).toEqual(["Europe = eu", "Asia = as"]);
  });

  test("that belong to the text stay", () => {
    expect(pairs('"Big" house\nSmith, John\n"open')).toEqual([
      '"Big" house = big-house',
      "Smith, John = smith-john",
      '"open = open',
    ]);
  });
});

test("made values differ from each other and from those that are there", () => {
  expect(pairs("A+\nA-\nB", ["b"])).toEqual(["A+ = a", "A- = a-2", "B = b-2"]);
});

test("values are plain where the text is Latin, and the text itself where it is not", () => {
  expect(["Håbor & Söhne", "Größe", "日本", "  ", "Ørsted"].map(valueOf)).toEqual([
    "habor-sohne",
    "grosse",
    "日本",
    "",
    "orsted",
  ]);
});

test("one word is no table, also with the line break that a spreadsheet puts after it", () => {
  expect(["Europe", "Europe\r\n", "a\tb", "a\nb"].map(isTable)).toEqual([false, false, true, true]);
});

test("a megabyte of quotes, or of one line again and again, is parsed soon", () => {
  const begun = Date.now();
  parsePastedValues('"'.repeat(200_000));
  parsePastedValues('"\n'.repeat(50_000));
  parsePastedValues("a\n".repeat(100_000));
  expect(Date.now() - begun).toBeLessThan(5_000);
});

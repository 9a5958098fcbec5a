import { expect, test } from "vitest";
import {
  closeGaps,
  csvLine,
  findSimilar,
  foldText,
  formatCount,
  hasTypedText,
  hasTypedWords,
  oneLine,
} from "./text";

// Guarantee: nothing that a user types can add a header to an email, or turn our own text around.
test.each([
  ["Acme\r\nBcc: victim@example.com", "Acme Bcc: victim@example.com"],
  ["a\0b\u0085c\u2028d\u2029e", "a b c d e"],
  ["photo\u202Egnp.exe", "photo gnp.exe"],
  ["half \uD800", "half \uFFFD"],
  ["  spaces   inside  ", "spaces inside"],
])("%j becomes one line", (text, expected) => {
  expect(oneLine(text, 100)).toBe(expected);
});

test("long text is cut at a whole character", () => {
  expect(oneLine("😀".repeat(10), 4)).toBe("😀😀😀…");
  expect(oneLine("four", 4)).toBe("four");
});

// Guarantee: a spreadsheet shows what a user typed and computes nothing.
test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  ' "=1',
  "'=1",
  "＝1",
  '=HYPERLINK("http://evil")',
])("%j is not taken for a formula", (text) => {
  expect(csvLine([text])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`);
});

test("cells keep quotes, commas and line breaks", () => {
  expect(csvLine([7, 'a "b", c', "d\ne", ""])).toBe('7,"a ""b"", c","d\ne",""\r\n');
});

const KEYS = ["name", "title", "type", "hint", "required", "sensitive", "values"];

test.each([
  ["Title", "title"],
  ["TYPE", "type"],
  ["tilte", "title"],
  ["value", "values"],
  ["requierd", "required"],
  ["sensitve", "sensitive"],
])("%s means %s", (written, meant) => {
  expect(findSimilar(written, KEYS)).toBe(meant);
});

test.each(["note", "x-own", "description", "", "t", "t".repeat(1000)])(
  "%.20s means none of them",
  (written) => {
    expect(findSimilar(written, KEYS)).toBeUndefined();
  },
);

test.each([
  ["Zürich", "zurich"],
  ["zu\u0308rich", "zurich"],
  ["ＡＢＣ １２", "abc 12"],
  ["Ångström ﬁne", "angstrom fine"],
  ["E-Mail", "e-mail"],
  ["Straße STRAẞE", "strasse strasse"],
  ["Ørsted Łódź Đuro Æther œuvre Þór İstanbul ıĞdır", "orsted lodz duro aether oeuvre thor istanbul igdir"],
  ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
  ["МОСКВА Ёлка", "москва елка"],
  ["ＦＵＬＬ－ｗｉｄｔｈ ｶﾞ", "full-width カ\u3099"],
])("%s is compared as %s", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

const HYPHENS = ["-", "\u2010", "\u2011", "–", "—", "−", "－", "﹣", "\u00AD", "\u2060", ""];

// Guarantee: a search finds what was meant, however it and the text are written.
test("hyphens of all kinds, or none, make no difference", () => {
  for (const written of HYPHENS)
    for (const typed of HYPHENS) {
      expect(hasTypedWords(`E${written}Mail`, `e${typed}mail`), `${written} ${typed}`).toBe(true);
      expect(hasTypedText(`sent E${written}Mail to`, `e${typed}mail to`), `${written} ${typed}`).toBe(true);
    }
});

test.each([
  ["Zürich North", "north zurich", true],
  ["Nordstraße Süd", "sued", false],
  ["Nordstraße Süd", "strasse SÜD", true],
  ["north west", "north-west", true],
  ["northwest", "north-west", true],
  ["northwest", "north west", true],
  ["O’Brien", "o'brien", true],
  ["O´Brien", "obrien", true],
  ["policy\u200Bholder \uFEFFfee", "policyholder fee", true],
  ["Zürich – North", "zürich – north", true],
  ["Zürich", "zurich basel", false],
  ["Zürich", "  ", true],
])("whether %j has %j: %s", (text, typed, expected) => {
  expect(hasTypedWords(text, typed)).toBe(expected);
});

test("what has nothing but hyphens is looked for as it is", () => {
  expect(hasTypedText("a--b", "--")).toBe(true);
  expect(hasTypedText("ab", "--")).toBe(false);
});

test("prose has at most one empty line in a row", () => {
  expect(closeGaps(`a${"\n".repeat(60)}b`)).toBe("a\n\nb");
  expect(closeGaps("a\r\n \t\r\n\r\nb\r\rc")).toBe("a\n\nb\n\nc");
  for (const text of ["", "a", "a\nb", "a\n\n  b", "a\n \nb"]) expect(closeGaps(text)).toBe(text);
});

test("a count says that there may be more than were counted", () => {
  expect([formatCount(1_204), formatCount(999, 1_000), formatCount(10_000, 10_000)]).toEqual([
    "1,204",
    "999",
    "10,000+",
  ]);
});

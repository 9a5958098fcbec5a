import { expect, test } from "vitest";
import { csvLine, findSimilar, oneLine, foldText } from "./text";

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
])("%s is compared as %s", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

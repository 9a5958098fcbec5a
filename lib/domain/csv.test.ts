import { expect, test } from "vitest";
import { csvLine } from "./csv";

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

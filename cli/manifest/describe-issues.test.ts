import fc from "fast-check";
import { expect, test } from "vitest";
import { showSource, textWidth } from "./describe-issues";

/** What is underlined of the line that is shown. */
function underlined(text: string, line: number, column: number, width = 100): string {
  const shown = showSource(text, line, column, width);
  const start = shown.mark.indexOf("~");
  let columns = 0;
  let part = "";
  for (const { segment } of new Intl.Segmenter().segment(shown.line)) {
    if (columns >= start && columns < shown.mark.length) part += segment;
    columns += textWidth(segment);
  }
  return part;
}

test.each([
  ['{ "version": "1.0" }', 1, 14, '"1.0"'],
  ['{\n\t"version":\t"1.0"\n}', 2, 13, '"1.0"'],
  ['{ "title": "地域 👍", "type": "Selekt" }', 1, 29, '"Selekt"'],
  ['{ "title": "e\u0301te\u0301", "type": 12 }', 1, 29, "12"],
  ['{ "a": true, "b": [1, 2] }', 1, 19, "[1, 2]"],
  ['{ "a": {\r\n "b": 1\r\n} }', 1, 8, "{"],
  ['{ "a": 1,, }', 1, 10, ","],
])("the part at a position is underlined below its characters: %s", (text, line, column, part) => {
  expect(underlined(text, line, column)).toBe(part);
});

test("a long line is shortened around the part", () => {
  const text = `{ "a": "${"x".repeat(500)}", "version": "1.0", "b": "${"y".repeat(500)}" }`;
  const column = text.indexOf('"1.0"') + 1;
  const { line } = showSource(text, 1, column, 80);
  expect(line).toMatch(/^….*"version": "1\.0", .*…$/);
  expect(textWidth(line)).toBeLessThanOrEqual(80);
  expect(underlined(text, 1, column, 80)).toBe('"1.0"');
});

test("control and direction marks do not reach the terminal", () => {
  expect(showSource('{ "a": "\u202E\u001B[2J" }', 1, 8, 100).line).not.toMatch(/[\u001B\u202E]/);
});

test("any position in any text gives a line that fits, with a mark below it", () => {
  const position = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), position, position, (text, line, column) => {
      const shown = showSource(text, line, column, 40);
      expect(shown.mark).toMatch(/^ *~+$/);
      expect(shown.line).not.toMatch(/[\p{Cc}]/u);
      expect(textWidth(shown.line)).toBeLessThanOrEqual(41);
      expect(shown.mark.length).toBeLessThanOrEqual(42);
    }),
  );
});

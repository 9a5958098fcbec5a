import { Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { offsetAt, problemsIn } from "./diagnostics";

const docOf = (text: string) => Text.of(text.split("\n"));

function underlined(text: string, line: number, column: number) {
  const [problem] = problemsIn(docOf(text), [{ code: "C", pointer: "", message: "m", line, column }]);
  return text.slice(problem?.from, problem?.to);
}

// Guarantee: what is underlined is the thing that the problem is about.
test("the token at the place is underlined", () => {
  const text = '{\n  "name": "a \\" b",\n  "n": -1.5e3, }';
  expect(underlined(text, 2, 3)).toBe('"name"');
  expect(underlined(text, 2, 11)).toBe('"a \\" b"');
  expect(underlined(text, 3, 8)).toBe("-1.5e3");
  expect(underlined(text, 3, 16)).toBe("}");
  expect(underlined('{ "open', 1, 3)).toBe('"open');
});

// Guarantee: a check of one text never throws on another.
test("any place is clamped into any text", () => {
  const places = fc.oneof(fc.integer(), fc.integer({ min: 0, max: 12 }));
  fc.assert(
    fc.property(fc.string(), places, places, (text, line, column) => {
      const offset = offsetAt(docOf(text), line, column);
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(text.length);
      expect(() => underlined(text, line, column)).not.toThrow();
    }),
  );
});

// Guarantee: the places of our checks and of CodeMirror are the same ones.
test("a wrong type in a CRLF text is underlined", () => {
  const text = '{\r\n  "name": "acme/app",\r\n  "version": 7\r\n}';
  const issue = checkManifest(text).issues.find(({ pointer }) => pointer === "/version");
  expect(issue).toBeDefined();
  expect(underlined(text.replaceAll("\r\n", "\n"), issue?.line ?? 0, issue?.column ?? 0)).toBe("7");
});

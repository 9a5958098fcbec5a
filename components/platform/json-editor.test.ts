import { Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { toDiagnostics, toOffset } from "./json-editor";

const docOf = (text: string) => Text.of(text.split("\n"));

function underlined(text: string, line: number, column: number) {
  const [problem] = toDiagnostics(docOf(text), [
    { code: "BAD_NAME", pointer: "", message: "m", line, column },
  ]);
  return text.slice(problem?.from, problem?.to);
}

test("the token at the issue's location is underlined", () => {
  const text = '{\n  "name": "a \\" b",\n  "n": -1.5e3, }';
  expect(underlined(text, 2, 3)).toBe('"name"');
  expect(underlined(text, 2, 11)).toBe('"a \\" b"');
  expect(underlined(text, 3, 8)).toBe("-1.5e3");
  expect(underlined(text, 3, 16)).toBe("}");
  expect(underlined('{ "open', 1, 3)).toBe('"open');
});

// The issues of one text may be shown on the next one.
test("any location is clamped to any text", () => {
  const places = fc.oneof(fc.integer(), fc.integer({ min: 0, max: 12 }));
  fc.assert(
    fc.property(fc.string(), places, places, (text, line, column) => {
      const offset = toOffset(docOf(text), line, column);
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(text.length);
      expect(() => underlined(text, line, column)).not.toThrow();
    }),
  );
});

// Our checks and CodeMirror must count lines and columns alike.
test("a wrong type in a CRLF text is underlined", () => {
  const text = '{\r\n  "name": "acme/app",\r\n  "version": 7\r\n}';
  const issue = checkManifest(text).issues.find(({ pointer }) => pointer === "/version");
  expect(issue).toBeDefined();
  expect(underlined(text.replaceAll("\r\n", "\n"), issue?.line ?? 0, issue?.column ?? 0)).toBe("7");
});

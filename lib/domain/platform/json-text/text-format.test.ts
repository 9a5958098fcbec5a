import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { formatText } from "./text-format";

test("formatting changes only whitespace, and formatting again changes nothing", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom("", "\t", "  "), (source, indent) => {
      const text = JSON.stringify(JSON.parse(source), null, indent);
      const formatted = formatText(text);
      expect(JSON.parse(formatted)).toEqual(JSON.parse(text));
      expect(formatText(formatted)).toBe(formatted);
    }),
  );
  expect(formatText('{"a":1.50,"a":[ ]}')).toBe('{\n  "a": 1.50,\n  "a": []\n}');
});

test("Windows line endings stay", () => {
  expect(formatText('{"a":1,\r\n"b":2}')).toBe('{\r\n  "a": 1,\r\n  "b": 2\r\n}');
});

test("a megabyte is formatted in under two seconds", async () => {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({ text: `Value ${index}`, value: "v" })),
  );
  expect(await cpuTime(() => formatText(text))).toBeLessThan(2_000);
});

import { expect, test } from "vitest";
import { oneLine } from "./one-line";

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

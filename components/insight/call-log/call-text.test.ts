import { expect, test } from "vitest";
import { prettyPrint } from "./call-text";

test("an app's answer can't change the direction of the text around it, and stays the same JSON", () => {
  const answer = { greeting: "Ahoy \u202Eevil\u2066" };
  const shown = prettyPrint(JSON.stringify(answer));
  expect(shown).toContain("\\u202eevil");
  expect(JSON.parse(shown)).toEqual(answer);
});

// Guarantee: a page shows what was sent, not what JavaScript makes of it.
test("numbers, duplicate keys and the order of members stay as they were sent", () => {
  expect(prettyPrint('{"2":12345678901234567890,"1":1.0,"1":2}')).toBe(
    '{\n  "2": 12345678901234567890,\n  "1": 1.0,\n  "1": 2\n}',
  );
  expect(prettyPrint('\uFEFF{"n":1.10}')).toBe('\uFEFF{\n  "n": 1.10\n}');
  expect(prettyPrint("not JSON")).toBe("not JSON");
  expect(prettyPrint('{"cut":"of…')).toBe('{"cut":"of…');
});

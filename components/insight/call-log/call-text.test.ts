import { expect, test } from "vitest";
import { prettyPrint, wholePayload } from "./call-text";

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

// Guarantee: what is offered to be sent again is what was sent, or says that it isn't.
test("a payload is whole if its bytes are those that were sent; marks are told, even of the length of what they replaced", () => {
  const read = (payload: string | null, payloadBytes: number | null) =>
    wholePayload({ payload, payloadBytes });
  expect(read('{"n":1.10,"é":"😀"}', 22)).toEqual({ text: '{"n":1.10,"é":"😀"}', redacted: false });
  for (const bytes of [23, 40]) {
    const marked = '{"pin":"[secret: pin]"}';
    expect(read(marked, bytes)).toEqual({ text: marked, redacted: true });
  }
  expect(read('{"k":"[state key]"}', 150)?.redacted).toBe(true);
  expect(read('{"n":"\uFFFD"}', 8)).toBeUndefined();
  expect(read('{"cut":"of…', 40_000)).toBeUndefined();
  expect(read(null, 40)).toBeUndefined();
});

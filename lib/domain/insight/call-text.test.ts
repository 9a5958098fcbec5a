import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { quoteForShell, toCurlCommand } from "./call-text";

/** What a real shell passes to a program as its arguments. */
function readArguments(command: string, environment: Record<string, string> = {}): string[] {
  const script = `show() { for word in "$@"; do printf '%s\\0' "$word"; done; }; ${command}`;
  return execFileSync("/bin/sh", ["-c", script], {
    env: { NODE_ENV: "test", ...environment },
    stdio: "pipe",
  })
    .toString()
    .split("\0")
    .slice(0, -1);
}

// Guarantee: whatever a payload contains, a shell executes none of it and passes it on unchanged.
test("a shell reads quoted text as one word, unchanged", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom("'", '"', "\\", "$", "`", "\n", "!", ";", "&", "|", "(", " ", "a"),
      maxLength: 40,
    }),
  );
  const text = hostile.filter((each) => !each.includes("\0"));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (words) => {
      expect(readArguments(`show ${words.map(quoteForShell).join(" ")}`)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test("a command has the payload as JSON, and the credential only as a variable", () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "small" }), (value) => {
      const command = toCurlCommand({
        address: "http://127.0.0.1:4000/r/1",
        payload: JSON.stringify(value),
      });
      expect(command).not.toMatch(/[\u0080-\u009F\u202A-\u202E\u2066-\u2069]/);
      const [address, , credential, , type, , payload = ""] = readArguments(
        command.replace(/^curl/, "show"),
        { CORE_CREDENTIAL: "from the environment" },
      );
      expect([address, credential, type]).toEqual([
        "http://127.0.0.1:4000/r/1",
        "authorization: Bearer from the environment",
        "content-type: application/json",
      ]);
      // JSON has no -0.
      expect(JSON.parse(payload)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 60 },
  );
});

test("a payload that is not known in full is read from a file", () => {
  const command = toCurlCommand({ address: "http://127.0.0.1:4000/core/v1/events", payload: undefined });
  expect(command).toContain("--data-binary @payload.json");
});

// Guarantee: nobody sends a redaction mark as if it were the value.
test("what was redacted is a variable, and without its value nothing is sent", () => {
  const payload =
    '{"pin":"[secret: pin]","url":"https://x/?k=[secret: api.key-2]&t=[token]","it\'s":"[state key]","list":["[secret]"]}';
  const command = toCurlCommand({ address: "http://127.0.0.1:4000/r/1", payload }).replace(/^curl/, "show");
  expect(command).not.toMatch(/\[secret: |\[token|\[state/);
  const given = { SECRET_pin: "12 34", SECRET_api_key_2: "$(id)", TOKEN: "t", STATE_KEY: "*" };
  expect(JSON.parse(readArguments(command, given).at(-1) ?? "")).toEqual({
    pin: "12 34",
    url: "https://x/?k=$(id)&t=t",
    "it's": "*",
    list: ["[secret]"],
  });
  expect(() => readArguments(command, { ...given, SECRET_pin: "" })).toThrow(/SECRET_pin/);
});

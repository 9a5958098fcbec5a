import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { redactKeys } from "./redact-keys";
import { createRedaction } from "./redact-secrets";

const id = "01900000-0000-7000-8000-000000000001";
const KEY = `psk_${randomBytes(96).toString("base64url")}`;
const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
const TOKEN = [
  part({ alg: "EdDSA", typ: "JWT", kid: id }),
  part({ iss: "https://gateway.example", aud: "https://core.example", sub: id, jti: id, iat: 1, exp: 2 }),
  randomBytes(64).toString("base64url"),
].join(".");

const wrap = (text: string, lineBreak: string) => text.replace(/.{76}(?=.)/g, `$&${lineBreak}`);
const pairs = (text: string) => Buffer.from(text).toString("hex").match(/../g) ?? [];
const escapeAll = (text: string) =>
  text.replaceAll(/[_.-]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** Random, but with what looks like separated hex. */
const DASHED = `${KEY.slice(0, 40)}f3A-Ebw_a1-b2c${KEY.slice(54)}`;

describe.each([
  ["state key", "random", KEY],
  ["state key", "with dashes", DASHED],
  ["token", "random", TOKEN],
])("a %s, %s", (name, _what, secret) => {
  const utf16 = Buffer.from(secret, "utf16le");
  const mark = `[${name}]`;

  // Guarantee (P3): keys and tokens are found by their form, whoever they were made for.
  test.each<[string, string]>([
    ["raw", secret],
    ["in JSON", JSON.stringify(secret)],
    ["in a URL, all escaped", escapeAll(secret)],
    ["in a URL in a URL", encodeURIComponent(escapeAll(secret))],
    ["in hex", Buffer.from(secret).toString("hex")],
    ["in hex of something longer", Buffer.from(`key=${secret};`).toString("hex").toUpperCase()],
    ["in hex pairs", pairs(secret).join(":")],
    ["in UTF-16", utf16.toString()],
    ["in UTF-16 in JSON", JSON.stringify(utf16.toString())],
    ["in hex of UTF-16", utf16.toString("hex")],
    ["in base64 of UTF-16", utf16.toString("base64")],
    ["broken into lines", wrap(secret, "\n")],
    ...["", "a", "ab", "abc"].flatMap((before): [string, string][] => {
      const bytes = Buffer.from(`${before}${secret}${before}`);
      return [
        [`in base64 after "${before}"`, bytes.toString("base64")],
        [`in base64url after "${before}"`, bytes.toString("base64url")],
        [`in wrapped base64 after "${before}"`, wrap(bytes.toString("base64"), "\r\n")],
      ];
    }),
  ])("%s", (_form, text) => {
    const kept = redactKeys(`said (${text}) and more`);
    expect(kept).toContain(mark);
    expect(kept).toMatch(/^said \(.{0,12}\[(state key|token)\].{0,12}\) and more$/s);
  });

  test("a part at the end of a cut text", () => {
    expect(redactKeys(`said ${secret.slice(0, -10)}`)).toBe(`said ${mark}`);
  });

  test("words that follow on the next line are kept", () => {
    expect(redactKeys(`${secret}\nnext_line-of words`)).toBe(`${mark}\nnext_line-of words`);
  });

  test("beside a customer's secret", () => {
    const redact = createRedaction([{ name: "apiKey", value: "canary-0123" }]);
    expect(redact(`canary-0123 ${secret}`)).toBe(`[secret: apiKey] ${mark}`);
  });
});

test("ordinary text is kept", () => {
  for (const text of [
    "psk_ is the prefix of a state key",
    "eyJ is how a JSON object starts in base64",
    `{"psk":"psk_short","digest":"sha256:${"4f".repeat(32)}"}`,
    Buffer.from("x".repeat(3000)).toString("base64"),
    "deadbeef".repeat(100),
  ])
    expect(redactKeys(text)).toBe(text);
});

// Guarantee: no hostile text makes the search slow.
test.each([
  "psk_",
  "eyJ",
  "eyJ0123456789.",
  "p\0s\0k\0_\0",
  "ZXlK",
  "cHNrX",
  "70736b5f",
  "\\",
  "%25",
  "a:",
  "\n ",
  "\\x",
])("64 KiB of %j take no time", async (start) => {
  const text = start.repeat(Math.floor(65_536 / start.length));
  redactKeys(text);
  expect(await cpuTime(() => redactKeys(text))).toBeLessThan(400);
});

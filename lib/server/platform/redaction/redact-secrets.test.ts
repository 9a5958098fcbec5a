import { describe, expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { createRedaction, NO_SECRETS, storableText, STORED_BYTES } from "./redact-secrets";
import { listForms } from "./secret-forms";

const CANARY = 'cän"ary/ \\+=%&<7391>\n\u{1F511}';
const secrets = createRedaction([{ name: "apiKey", value: CANARY }]);
const MARK = "[secret: apiKey]";
const ascii = (text: string) =>
  text.replace(/[^\u0000-\u007e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
const json = JSON.stringify(CANARY).slice(1, -1);
const nest = (text: string, depth: number): string =>
  depth === 0 ? text : nest(JSON.stringify(text).slice(1, -1), depth - 1);
const pairs = (text: string) => Buffer.from(text).toString("hex").match(/../g) ?? [];

// Guarantee (P3): however an app's libraries write a secret, it is removed.
test.each<[string, string]>([
  ["raw", CANARY],
  ["JSON", json],
  ["JSON in ASCII", ascii(json)],
  ["JSON as PHP writes it", ascii(json).replaceAll("/", "\\/")],
  ["JSON within JSON", JSON.stringify(JSON.stringify(CANARY)).slice(3, -3)],
  ["URL", encodeURIComponent(CANARY)],
  ["URL in lower case", encodeURIComponent(CANARY).replace(/%../g, (each) => each.toLowerCase())],
  ["URL with plus", encodeURIComponent(CANARY).replaceAll("%20", "+")],
  ["a form", new URLSearchParams({ x: CANARY }).toString().slice(2)],
  [
    "HTML",
    CANARY.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ],
  ["hex", Buffer.from(CANARY).toString("hex")],
  ["HEX", Buffer.from(CANARY).toString("hex").toUpperCase()],
  ["base64", Buffer.from(CANARY).toString("base64")],
  ["base64url", Buffer.from(CANARY).toString("base64url")],
  ["base64 of UTF-16", Buffer.from(CANARY, "utf16le").toString("base64")],
  ["hex of UTF-16", Buffer.from(CANARY, "utf16le").toString("hex")],
  ["JSON, three deep", nest(CANARY, 3)],
  ["JSON, six deep", nest(CANARY, 6)],
  ["a URL in a URL", encodeURIComponent(encodeURIComponent(CANARY))],
  ["a URL in a URL in a URL", encodeURIComponent(encodeURIComponent(encodeURIComponent(CANARY)))],
  ["a form in JSON in JSON", nest(new URLSearchParams({ x: CANARY }).toString().slice(2), 2)],
  ["aa:bb", pairs(CANARY).join(":")],
  ["AA-BB", pairs(CANARY).join("-").toUpperCase()],
  ["aa bb", pairs(CANARY).join(" ")],
  ["hex as openssl prints it", pairs(CANARY).join(":").replace(/.{45}/g, "$&\n        ")],
])("%s", (_form, text) => {
  expect(secrets(`before ${text} after, ${text}`)).toBe(`before ${MARK} after, ${MARK}`);
});

const LONG = `${CANARY} ${"0123456789abcdef-ÄÖÜ ".repeat(12)}`;
const wrap = (text: string, lineBreak: string) => text.replace(/.{76}(?=.)/g, `$&${lineBreak}`);

// Guarantee: long values are found in base64 as mail and OpenSSL wrap it, and in UTF-16 as Windows writes it.
test.each<[string, string]>([
  ["base64 wrapped at 76 columns", wrap(Buffer.from(LONG).toString("base64"), "\n")],
  ["base64 of something longer, wrapped", wrap(Buffer.from(`user:${LONG}`).toString("base64"), "\r\n")],
  ["wrapped base64 in JSON", wrap(Buffer.from(LONG).toString("base64"), "\\n")],
  ["wrapped and indented base64", wrap(Buffer.from(LONG).toString("base64"), "\n    ")],
  ["raw, wrapped", wrap(LONG, "\n")],
])("%s", (_form, text) => {
  const redacted = createRedaction([{ name: "apiKey", value: LONG }])(`(${text})`);
  expect(redacted.replaceAll(/[A-Za-z0-9]{0,7}\[|=*\)/g, (each) => (each.includes("[") ? "[" : ")"))).toBe(
    `(${MARK})`,
  );
});

test.each(["le", "be"])("UTF-16%s, read as UTF-8 and in JSON", (order) => {
  const bytes = Buffer.from("canary-7391-0f9e", "utf16le");
  const text = (order === "be" ? bytes.swap16() : bytes).toString();
  const redact = createRedaction([{ name: "apiKey", value: "canary-7391-0f9e" }]);
  for (const written of [text, JSON.stringify(text)]) {
    const kept = redact(`<${written}>`).replaceAll(/\0|\\u0000|"/g, "");
    expect(kept).toBe(`<${MARK}>`);
  }
});

// Guarantee: text between is kept as it is, whatever else in it looks like an encoding.
test("only the value is replaced", () => {
  const around = String.raw`C:\\new\\folder 12:34:56 100%25 sure ab:cd-ef` + "\nnext line\n\n  indented";
  expect(secrets(`${around} ${nest(CANARY, 3)} ${around}`)).toBe(`${around} ${MARK} ${around}`);
  expect(secrets(around)).toBe(around);
});

test("bytes as Python and C write them", () => {
  expect(secrets(`<\\x${pairs(CANARY).join("\\x")}>`)).toBe(`<${MARK}>`);
});

test("values that look like encodings themselves are found at any depth", () => {
  for (const value of [
    "aa:bb:cc:dd",
    "550e8400-e29b-41d4-a716-446655440000",
    String.raw`C:\new\x41\u0000z`,
    "100%2541%25",
  ]) {
    const redact = createRedaction([{ name: "apiKey", value }]);
    for (let depth = 0; depth < 5; depth += 1) expect(redact(`<${nest(value, depth)}>`)).toBe(`<${MARK}>`);
    expect(redact(`<${encodeURIComponent(encodeURIComponent(value))}>`)).toBe(`<${MARK}>`);
  }
});

// Guarantee: in an Authorization header, base64 contains the value at any of three alignments.
test.each(["", "a", "ab", "abc", "user:"])("base64 after '%s'", (before) => {
  for (const after of ["", "x", "xy", ":xyz"]) {
    for (const encoding of ["base64", "base64url"] as const) {
      const text = Buffer.from(before + CANARY + after).toString(encoding);
      const kept = secrets(`Basic ${text}`);
      expect(kept).toContain(MARK);
      // No remaining character has a bit of it.
      const left = kept.replace("Basic ", "").split(MARK);
      expect(Buffer.from(left[0] ?? "", encoding).toString()).toBe(
        before.slice(0, (left[0] ?? "").length * 0.75),
      );
      expect((left[1] ?? "").replaceAll("=", "").length).toBeLessThanOrEqual(
        Math.ceil((after.length * 8) / 6),
      );
    }
  }
});

describe("short values", () => {
  const short = createRedaction([
    { name: "region", value: "eu" },
    { name: "pin", value: '1"3' },
    { name: "none", value: "" },
  ]);
  test.each<[string, string]>([
    ['{"region":"eu","a":["eu"]}', '{"region":"[secret: region]","a":["[secret: region]"]}'],
    [" eu\n", "[secret: region]"],
    ['{"pin":"1\\"3","b":"\\u0031\\u00223"}', '{"pin":"[secret: pin]","b":"[secret: pin]"}'],
    ['{"neutral":"Reuters in eu or US","empty":""}', '{"neutral":"Reuters in eu or US","empty":""}'],
    ['{"a":"b\\\\","c":"eu"', '{"a":"b\\\\","c":"[secret: region]"'],
  ])("%s", (text, kept) => {
    expect(short(text)).toBe(kept);
  });
});

test("nested values, also within marks, become one mark", () => {
  const nested = createRedaction([
    { name: "inner", value: "secret" },
    { name: "outer", value: "my-secret-value" },
  ]);
  expect(nested("my-secret-value, secret")).toBe("[secret: outer], [secret: inner]");
});

test("a PEM key is found line by line", () => {
  const line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";
  const pem = createRedaction([
    { name: "pem", value: `-----BEGIN KEY-----\r\n${line}\r\n}\r\n-----END KEY-----` },
  ]);
  expect(pem(`12:00 INFO ${line}\n12:00 INFO }`)).toBe("12:00 INFO [secret: pem]\n12:00 INFO }");
});

// Guarantee: a cut leaves no start of a secret.
test("nothing remains of a secret at the cut", () => {
  const value = "canary-0123456789".repeat(20);
  const long = createRedaction([{ name: "long", value }]);
  for (const at of [
    STORED_BYTES - 1,
    STORED_BYTES - 170,
    STORED_BYTES - 339,
    STORED_BYTES * 4 - 1,
    STORED_BYTES * 4 + 300,
  ]) {
    const kept = storableText(`${".".repeat(at)}${value}${"x".repeat(1000)}`, long);
    expect(kept).not.toContain("canary");
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(STORED_BYTES + 3);
  }
  // Redaction shortens the text, but that does not pull in text that was not searched.
  const many = `${value}.`.repeat(300);
  expect(storableText(many, long)).not.toContain("canary");
});

// Guarantee: no hostile answer makes the search slow.
test.each<[string, string]>([
  ["quotes", '"'.repeat(1024 * 1024)],
  ["escaped quotes", `"${'\\"'.repeat(512 * 1024)}`],
  ["the value's first half, repeated", "canary-".repeat(150_000)],
])("a megabyte of %s takes no time", async (_what, text) => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    name: `s${index}`,
    value: `canary-canary-${index}-\\"`,
  }));
  expect(await cpuTime(() => storableText(text, createRedaction(hundred)))).toBeLessThan(1_000);
});

/** The least processor time of several runs: some of them collect garbage. */
async function cost(run: () => void): Promise<number> {
  const runs: number[] = [];
  for (let round = 0; round < 5; round += 1) runs.push(await cpuTime(run));
  return Math.min(...runs);
}

const named = (length: number, valueOf: (index: number) => string) =>
  Array.from({ length }, (_, index) => ({ name: `s${index}`, value: valueOf(index) }));

// Guarantee: the time grows with the sum of text and secrets, not with their product.
test.each<[string, (index: number) => string, string]>([
  ["values that differ only in the middle", (index) => `${"a".repeat(1000)}${index}${"a".repeat(1000)}`, "a"],
  [
    "values of many lines",
    (index) => Array.from({ length: 100 }, (_, line) => `aaaaaaaaaaaa${index}-${line}`).join("\n"),
    "aaaaaaaaaaaa1-",
  ],
])("sixteen times the text and sixteen times as many %s", async (_what, valueOf, repeated) => {
  const costOf = (size: number) => {
    const text = repeated.repeat((size * 4_000) / repeated.length);
    const redact = createRedaction(named(size * 2, valueOf));
    return cost(() => (["start", "end", undefined] as const).forEach((cut) => redact(text, cut)));
  };
  await costOf(1);
  const small = await costOf(4);
  // The sum is 16 times as large, the product 256 times.
  expect(await costOf(64)).toBeLessThan(small * 64);
});

// Guarantee: large secrets that do not occur cost nothing.
test.each<[string, string, "end" | undefined]>([
  ["a short answer", "ok", undefined],
  ["an answer", '{"name":"policy holder","street":"Main street 1"},'.repeat(100), undefined],
  ["a cut one", '{"name":"policy holder","street":"Main street 1"},'.repeat(100), "end"],
])("few forms are built for %s", async (_what, text, cut) => {
  const large = named(100, (index) => `${index}/%${"0f9<e_&x".repeat(1000)}`);
  const redact = createRedaction(large);
  const building = await cost(() => large.forEach(({ value }) => listForms(value)));
  expect(await cost(() => redact(text, cut))).toBeLessThan(building / 4);
});

test("each form of a long value is found, even if a cut left only part of it", () => {
  const value = `\u{1F511}é"/${"\u{1F511}".repeat(20)}middle${"ü".repeat(21)}\u{1F511}`;
  const long = createRedaction([{ name: "long", value }]);
  for (const { text } of listForms(value)) {
    expect(long(`<${text}>`)).toBe("<[secret: long]>");
    for (const length of [1, 5, 6, 20, text.length - 1]) {
      expect(long(`<${text.slice(0, length)}`, "end")).toBe("<");
      expect(long(`${text.slice(-length)}>`, "start")).toBe(">");
    }
  }
});

test("overlapping occurrences are removed completely", () => {
  const twice = createRedaction([{ name: "twice", value: "abcabc" }]);
  expect(twice("<abcabcabc>")).toBe("<[secret: twice]>");
});

test("without secrets, the text does not change", () => {
  expect(createRedaction([])).toBe(NO_SECRETS);
  expect(storableText("a", NO_SECRETS)).toBe("a");
});

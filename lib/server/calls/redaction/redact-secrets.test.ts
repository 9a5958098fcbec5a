import { describe, expect, test } from "vitest";
import { storableText, STORED_BYTES } from "./redact-secrets";
import { NO_SECRETS, createRedaction } from "./redact-secrets";
import { listForms } from "./secret-forms";

const CANARY = 'cän"ary/ \\+=%&<7391>\n\u{1F511}';
const secrets = createRedaction([{ name: "apiKey", value: CANARY }]);
const MARK = "[secret: apiKey]";
const ascii = (text: string) =>
  text.replace(/[^\u0000-\u007e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
const json = JSON.stringify(CANARY).slice(1, -1);

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
])("%s", (_form, text) => {
  expect(secrets(`before ${text} after, ${text}`)).toBe(`before ${MARK} after, ${MARK}`);
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
    const kept = storableText(`${".".repeat(at)}${value}${"x".repeat(1000)}`, "psk_", long) ?? "";
    expect(kept).not.toContain("canary");
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(STORED_BYTES + 3);
  }
  // Redaction shortens the text, but that does not pull in text that was not searched.
  const many = `${value}.`.repeat(300);
  expect(storableText(many, "psk_", long)).not.toContain("canary");
});

// Guarantee: no hostile answer makes the search slow.
test.each<[string, string]>([
  ["quotes", '"'.repeat(1024 * 1024)],
  ["escaped quotes", `"${'\\"'.repeat(512 * 1024)}`],
  ["the value's first half, repeated", "canary-".repeat(150_000)],
])("a megabyte of %s takes no time", (_what, text) => {
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    name: `s${index}`,
    value: `canary-canary-${index}-\\"`,
  }));
  const startedAt = performance.now();
  storableText(text, "psk_", createRedaction(hundred));
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

/** The minimum of several runs, in milliseconds of CPU time, because other processes may be busy. */
function cost(run: () => void): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(startedAt);
    return (user + system) / 1000;
  });
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
])("four times the text and four times as many %s", (_what, valueOf, repeated) => {
  const costOf = (size: number) => {
    const text = repeated.repeat((size * 4_000) / repeated.length);
    const redact = createRedaction(named(size * 2, valueOf));
    return cost(() => (["start", "end", undefined] as const).forEach((cut) => redact(text, cut)));
  };
  costOf(1);
  const small = costOf(4);
  expect(costOf(16)).toBeLessThan(small * 8);
});

// Guarantee: large secrets that do not occur cost nothing.
test.each<[string, string, "end" | undefined]>([
  ["a short answer", "ok", undefined],
  ["an answer", '{"name":"policy holder","street":"Main street 1"},'.repeat(100), undefined],
  ["a cut one", '{"name":"policy holder","street":"Main street 1"},'.repeat(100), "end"],
])("few forms are built for %s", (_what, text, cut) => {
  const large = named(100, (index) => `${index}/%${"0f9<e_&x".repeat(1000)}`);
  const redact = createRedaction(large);
  const building = cost(() => large.forEach(({ value }) => listForms(value)));
  expect(cost(() => redact(text, cut))).toBeLessThan(building / 4);
});

test("each form of a long value is found, also if a cut left only part of it", () => {
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
  expect(storableText("a", "psk_", NO_SECRETS)).toBe("a");
});

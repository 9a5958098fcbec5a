import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { cpuTime } from "@/tests/cpu-time";
import { createRedaction } from "./redact-secrets";

/**
 * What encoders of many languages wrote of these secrets, and of the secrets as JSON strings. Go, Python, Node, Java, Rust, Perl, Tcl,
 * C, SQLite, Bash and zsh ran the call that is named; .NET, PHP and Ruby are written by the rules that their documentation gives for it. Quotes around
 * a result are removed.
 */
const { secrets, encoders } = z
  .object({
    secrets: z.array(z.string()),
    encoders: z.array(
      z.object({
        language: z.string(),
        call: z.string(),
        written: z.array(z.string()),
        ofJson: z.array(z.string()),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(path.join(import.meta.dirname, "encoders.json"), "utf8")));

const MARK = "[secret: apiKey]";
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&#34;");
const form = (text: string) => new URLSearchParams({ q: text }).toString().slice(2);
const all = (text: string, write: (unit: number) => string) =>
  Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at))).join("");
const unicode = (text: string) => all(text, (unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
const entities = (text: string) => all(text, (unit) => `&#${String(unit).padStart(9, "0")};`);
const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const NESTINGS: [string, (text: string) => string][] = [
  ["alone", (text) => text],
  ["JSON", json],
  ["JSON in JSON", (text) => json(json(text))],
  ["URL", encodeURIComponent],
  ["form", form],
  ["HTML", html],
  ["URL in HTML", (text) => html(encodeURI(text))],
  ["URL in JSON", (text) => json(form(text))],
  ["HTML in JSON", (text) => json(html(text))],
  ["JSON in URL", (text) => encodeURIComponent(json(text))],
  ["JSON in HTML in a URL", (text) => encodeURIComponent(html(json(text)))],
  ["all as \\u", unicode],
  ["all as \\u in JSON", (text) => json(unicode(text))],
  ["all as entities", entities],
  ["all as percents", percent],
  ["all as percents in HTML", (text) => entities(percent(text))],
];

// Guarantee (P3): however an app's libraries write a secret, alone or within something else, nothing of it can be read.
test.each(encoders.map((each) => [each.language, each.call, each] as const))(
  "%s: %s",
  (_language, _call, { written, ofJson }) => {
    const clear = secrets.flatMap((value, index) => {
      const redact = createRedaction([{ name: "apiKey", value }]);
      const texts = [written[index], ofJson[index]].filter((text) => text !== undefined);
      return texts.flatMap((text) =>
        NESTINGS.flatMap(([nesting, nest]) => {
          const kept = redact(`said (${nest(text)}) and more`);
          return kept === `said (${MARK}) and more` ? [] : [{ value, nesting, kept }];
        }),
      );
    });
    expect(clear).toEqual([]);
  },
);

const IN_BYTES = /json|JSON|URLSearchParams|encodeURIComponent|QueryEscape|urlencode|EscapeDataString/;
const BYTES: [string, (text: string) => string][] = ["", "x", "xy"].flatMap((before) =>
  (["base64", "base64url", "hex"] as const).map((as): [string, (text: string) => string] => [
    `${as} after "${before}"`,
    (text) => Buffer.from(before + text).toString(as),
  ]),
);

// Guarantee (P3): a whole JSON text or form in base64 or hex, such as the payload of a token, shows none of its secrets.
test.each(
  encoders.filter(({ call }) => IN_BYTES.test(call)).map((each) => [each.language, each.call, each] as const),
)("%s: %s, in base64 and hex", (_language, _call, { written }) => {
  const clear = secrets.flatMap((value, index) => {
    const redact = createRedaction([{ name: "apiKey", value }]);
    return BYTES.flatMap(([as, write]) => {
      const kept = redact(`said (${write(written[index] ?? value)}) and more`);
      return /^said \(\w{0,4}\[secret: apiKey\]=*\) and more$/.test(kept) ? [] : [{ value, as, kept }];
    });
  });
  expect(clear).toEqual([]);
});

test("there are enough encoders", () => {
  expect(encoders.length).toBeGreaterThanOrEqual(20);
  expect(new Set(encoders.map(({ language }) => language)).size).toBeGreaterThanOrEqual(8);
});

/** Of a secret that looks like an escape itself, a cut may leave that. */
const LOOKS_ENCODED = /\\|&\w+;|%\d/;

/** What remains may be less than one character, or a line break. */
const UNFINISHED = /^said \((?:\[secret: apiKey\])?(?:[\\%&]\S{0,9})?(?:\s|\+|[\\%]\S{0,3}20\}?)*$/;

// Guarantee: a cut within an escape leaves no start of a secret.
test.each(encoders.map((each) => [each.language, each.call, each] as const))(
  "%s: %s, cut at the end",
  (_language, _call, { written }) => {
    const clear = secrets.flatMap((value, index) => {
      const redact = createRedaction([{ name: "apiKey", value }]);
      const text = LOOKS_ENCODED.test(value) ? "" : (written[index] ?? "");
      return Array.from({ length: text.length }, (_, length) =>
        redact(`said (${text.slice(0, length)}`, "end"),
      )
        .map((kept, length) => ({ value, cut: text.slice(0, length), kept }))
        .filter(({ kept }) => !UNFINISHED.test(kept));
    });
    expect(clear).toEqual([]);
  },
);

test.each([
  [String.raw`C:\dir\ `.trim(), "north&key=42"],
  [String.raw`C:\dir\ `.trim(), "tango<5>"],
  ["100%", "north&key=42"],
  ["?a=1&", "north&key=42"],
  ["?a=1&b=", "north&key=42%"],
])("a secret after %j", (before, value) => {
  const redact = createRedaction([{ name: "apiKey", value }]);
  for (const [nesting, nest] of NESTINGS)
    for (const after of ["", " next", "41", "amp;", "n"]) {
      const kept = redact(nest(before + value + after));
      expect(kept, `${nesting}, before ${after}`).toContain(MARK);
      expect(kept, nesting).not.toMatch(/orth|key|ango/);
    }
});

// Guarantee: a quote that SQL, YAML, CSV or a shell doubles, splits or exchanges hides nothing.
test.each([
  String.raw`insert into t values ('it''s<4>')`,
  String.raw`echo 'it'\''s<4>'`,
  String.raw`echo 'it'"'"'s<4>'`,
  String.raw`echo it"'"s<4>`,
  String.raw`psql -c "select 'it''s\u003c4\u003e'"`,
  String.raw`{"sql":"select \"it''s\u003c4>\""}`,
  "`it''s<4>`",
  "it&#39;&#39;s&lt;4&gt;",
  "it%27%27s%3C4%3E",
])("nothing of it's<4> is in %s", (text) => {
  const kept = createRedaction([{ name: "apiKey", value: "it's<4>" }])(text);
  expect(kept).toContain(MARK);
  expect(kept).not.toMatch(/it(?:['"&%]|\\')|s<|s&lt|s%3C|s\\u/);
});

test("a secret that starts or ends with quotes is removed with those around it", () => {
  const redact = createRedaction([{ name: "apiKey", value: `'quoted"` }]);
  for (const text of [`select '''quoted"'`, String.raw`{"a":"'quoted\""}`, `"'quoted"""`])
    expect(redact(text), text).not.toContain("quoted");
});

test("a short secret with a quote is removed as a whole string at any depth", () => {
  const redact = createRedaction([{ name: "pin", value: "1'3" }]);
  expect(redact(json(JSON.stringify({ pin: "1'3", range: "01'3" })))).toBe(
    json(JSON.stringify({ pin: "[secret: pin]", range: "01'3" })),
  );
});

// Guarantee: what only resembles a secret stays.
test("a shorter or similar text is kept", () => {
  const redact = createRedaction([
    { name: "a", value: "password\\" },
    { name: "b", value: "%41%42" },
    { name: "c", value: "a<" },
    { name: "d", value: "\\n\\n\\n\\n" },
  ]);
  const text = String.raw`{"hint":"the password is\nnot \u0041 A%42 secret, a&lt;b and \"a \u003c b\""}`;
  expect(redact(text)).toBe(text);
});

test("a short secret is removed as a whole string at any depth", () => {
  const redact = createRedaction([{ name: "pin", value: "1<3" }]);
  const text = json(JSON.stringify({ pin: "1<3", range: "0<1<3" }));
  expect(redact(text)).toBe(text.replace("1<3", "[secret: pin]"));
  expect(redact('{"pin":"1\\u003c3"}')).toBe('{"pin":"[secret: pin]"}');
  expect(redact("{&quot;pin&quot;:&quot;1&lt;3&quot;}")).toBe("{&quot;pin&quot;:&quot;[secret: pin]&quot;}");
});

// Guarantee: no hostile text makes decoding slow.
test.each([
  "%25",
  "%",
  "\\",
  "\\u",
  "\\u005c",
  "&",
  "&a",
  "&#0",
  "&amp;",
  "%3",
  "\\u{0",
  "%C3",
  "%5C\\",
  "\\\n",
  "&#37;3",
  "'",
  "\"'",
  "'\\",
])("64 KiB of %j take no time", async (start) => {
  const text = start.repeat(Math.floor(65_536 / start.length));
  const redact = createRedaction([{ name: "apiKey", value: `north&key${start}` }]);
  redact(text);
  expect(await cpuTime(() => redact(text, "end"))).toBeLessThan(600);
});

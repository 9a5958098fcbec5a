/** P3: finds secrets in bytes that must not contain them, in every encoding that they pass through. */

export interface Canary {
  /** For reports: what the secret is. */
  name: string;
  value: string;
  /** `issued`: shown once, in one response to one user. `typed`: in no response. */
  kind: "typed" | "issued";
}

/** The start of every canary of the tests: bytes without it in any form contain none of them. */
export const MARK = "canary:";

/** As apps get them, or escaped for a URL or for JSON. None may be found, whatever attempt it belongs to. */
const KEYS: [name: string, whole: RegExp][] = [
  ["a state key", /psk(?:_|(?:%|\\+u00)5f)(?:[\w-]|(?:%|\\+u00)(?:2d|5f)){100,}/i],
  ["a token", /eyJ[\w-]{20,}(?:\.|(?:%|\\+u00)2e)eyJ[\w-]{20,}(?:\.|(?:%|\\+u00)2e)[\w%\\-]{86}/i],
];

const ENCODED_RUN = /[A-Za-z0-9+/_-]{170,}/g;

/** The names of the secrets that are found. */
export function findCanaries(bytes: Buffer, canaries: readonly Canary[]): string[] {
  const text = bytes.toString("latin1");
  // Base64 may be wrapped into lines, as it is and within JSON.
  const unwrapped = Buffer.from(text.replaceAll(/[\r\n]+|\\+[rn]/g, ""), "latin1");
  const { findFirst, findAll } = finders.get(canaries) ?? prepareFinders(canaries);
  const findIn = (find: Finder) => new Set([...find(bytes), ...find(unwrapped)]);
  const first = findIn(findFirst);
  const found = encodeForms(MARK).some((form) => first.has(form)) ? findIn(findAll) : first;
  const names = canaries
    .filter(({ value }) => encodeForms(value).some((form) => found.has(form)))
    .map(({ name }) => name);
  return [...names, ...findKeys(text)];
}

type Finder = (bytes: Buffer) => Buffer[];
const finders = new WeakMap<readonly Canary[], ReturnType<typeof prepareFinders>>();

/** What is searched for everywhere, and what is searched for where the mark is. */
function prepareFinders(canaries: readonly Canary[]): { findFirst: Finder; findAll: Finder } {
  const values = canaries.map(({ value }) => value);
  const first = [MARK, ...values.filter((value) => !value.startsWith(MARK))];
  const prepared = {
    findFirst: createFinder(first.flatMap(encodeForms)),
    findAll: createFinder(values.flatMap(encodeForms)),
  };
  finders.set(canaries, prepared);
  return prepared;
}

/** Finds which of many texts, of at least 4 bytes, are in some bytes. One pass for all: a pass for each took a minute. */
function createFinder(texts: readonly Buffer[]): Finder {
  const starts = new Uint8Array(65_536);
  const byStart = new Map<number, Buffer[]>();
  for (const text of texts) {
    const start = text.readUInt32BE(0);
    starts[start >>> 16] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), text]);
  }
  return (bytes) => {
    const found = new Set<Buffer>();
    let start = bytes.length < 4 ? 0 : bytes.readUIntBE(0, 3);
    for (let at = 0; at + 4 <= bytes.length; at += 1) {
      start = ((start << 8) | (bytes[at + 3] ?? 0)) >>> 0;
      if (starts[start >>> 16] === 0) continue;
      for (const text of byStart.get(start) ?? [])
        if (bytes.compare(text, 0, text.length, at, Math.min(at + text.length, bytes.length)) === 0)
          found.add(text);
    }
    return [...found];
  };
}

/** State keys and tokens: raw, and in base64 and hex. The product redacts them with other code, which this must not share. */
function findKeys(text: string): string[] {
  const decoded = (text.match(ENCODED_RUN) ?? []).flatMap((run) => [
    ...[0, 1, 2, 3].map((skipped) => Buffer.from(run.slice(skipped), "base64").toString("latin1")),
    ...[0, 1].map((skipped) => Buffer.from(run.slice(skipped), "hex").toString("latin1")),
  ]);
  const places = [text, ...decoded].map((place) => place.replaceAll("\0", ""));
  return KEYS.filter(([, whole]) => places.some((place) => whole.test(place))).map(([name]) => name);
}

const known = new Map<string, Buffer[]>();

/** Raw, as encoders of many languages escape it for JSON, URLs, HTML, SQL, CSV and shells, in hex, and in base64 at every offset. */
export function encodeForms(secret: string): Buffer[] {
  const forms = known.get(secret) ?? distinct(writtenForms(secret));
  known.set(secret, forms);
  return forms;
}

function writtenForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const unicode = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const upper = (one: string) => unicode(one).toUpperCase().replace("U", "u");
  const ascii = escaped.replaceAll(/[^\x20-\x7e]/g, unicode);
  // Go, Rails and PHP's hex flags; .NET.
  const [markup, all] = [/[<>&]/g, /[<>&'+`]|[^\x20-\x7e]/g];
  const bytes = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const hex = Buffer.from(secret).toString("hex");
  const base64 = [0, 1, 2].flatMap((shift) => base64Forms(secret, shift));
  const address = encodeURIComponent(secret);
  const html = secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return [
    secret,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    ascii,
    html,
    address,
    address.replaceAll("%20", "+"),
    new URLSearchParams({ q: secret }).toString().slice(2),
    address.toLowerCase(),
    escaped.replaceAll(markup, unicode),
    escaped.replaceAll(markup, upper),
    escaped.replaceAll(all, unicode),
    escaped.replaceAll('\\"', '"').replaceAll(/["]|[<>&'+`]|[^\x20-\x7e]/g, upper),
    secret.replaceAll(/[^]/g, unicode),
    bytes,
    bytes.toUpperCase(),
    secret.replaceAll("'", "''"),
    secret.replaceAll('"', '""'),
    secret.replaceAll("'", "'\\''"),
    html
      .replaceAll("'", "&#39;")
      .replaceAll("&quot;", "&#34;")
      .replaceAll(">", "&gt;")
      .replaceAll("+", "&#43;"),
    hex,
    hex.toUpperCase(),
    ...base64,
  ];
}

/** Only the characters that depend on the secret alone: those at its ends depend on the bytes next to it. */
function base64Forms(secret: string, shift: number): string[] {
  const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)])
    .toString("base64")
    .replace(/=+$/, "");
  const middle = text.slice(shift === 0 ? 0 : shift + 1, -1);
  return [middle, middle.replaceAll("+", "-").replaceAll("/", "_")];
}

function distinct(forms: string[]): Buffer[] {
  return [...new Set(forms)].filter((form) => form.length >= 4).map((form) => Buffer.from(form));
}

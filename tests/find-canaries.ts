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
  // Base64 may be wrapped into lines, as it is and within JSON.
  const unwrapped = Buffer.from(bytes.toString("latin1").replaceAll(/[\r\n]+|\\+[rn]/g, ""), "latin1");
  const includes = (form: Buffer) => bytes.includes(form) || unwrapped.includes(form);
  const marked = encodeForms(MARK).some(includes);
  const found = canaries
    .filter(({ value }) => marked || !value.startsWith(MARK))
    .filter(({ value }) => encodeForms(value).some(includes))
    .map(({ name }) => name);
  return [...found, ...findKeys(bytes)];
}

/** State keys and tokens: raw, and in base64 and hex. The product redacts them with other code, which this must not share. */
function findKeys(bytes: Buffer): string[] {
  const text = bytes.toString("latin1");
  const decoded = (text.match(ENCODED_RUN) ?? []).flatMap((run) => [
    ...[0, 1, 2, 3].map((skipped) => Buffer.from(run.slice(skipped), "base64").toString("latin1")),
    ...[0, 1].map((skipped) => Buffer.from(run.slice(skipped), "hex").toString("latin1")),
  ]);
  const places = [text, ...decoded].map((place) => place.replaceAll("\0", ""));
  return KEYS.filter(([, whole]) => places.some((place) => whole.test(place))).map(([name]) => name);
}

const known = new Map<string, Buffer[]>();

/** Raw, escaped for JSON (once and twice) and for URLs, in hex, and in base64 at every offset. */
export function encodeForms(secret: string): Buffer[] {
  const forms = known.get(secret) ?? distinct(writtenForms(secret));
  known.set(secret, forms);
  return forms;
}

function writtenForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replaceAll(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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
    address.toLowerCase(),
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

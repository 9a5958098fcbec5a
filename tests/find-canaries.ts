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

/** A state key as apps get it. None may be found, whatever attempt it belongs to. */
const STATE_KEY = /psk_[\w-]{100,}/;

/** The names of the secrets that are found. */
export function findCanaries(bytes: Buffer, canaries: readonly Canary[]): string[] {
  const marked = encodeForms(MARK).some((form) => bytes.includes(form));
  const found = canaries
    .filter(({ value }) => marked || !value.startsWith(MARK))
    .filter(({ value }) => encodeForms(value).some((form) => bytes.includes(form)))
    .map(({ name }) => name);
  return bytes.includes("psk_") && STATE_KEY.test(bytes.toString("latin1"))
    ? [...found, "a state key"]
    : found;
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

/** P3: where a secret stands in bytes that must not hold it, in any of the forms that it takes on its way. */

export interface Canary {
  /** What it is, in words. */
  name: string;
  value: string;
  /** `issued`: shown once, by one answer to one person. `typed`: in no answer at all. */
  kind: "typed" | "issued";
}

/** How every canary of the tests begins, so that bytes without this in any form need no second look. */
export const MARK = "canary:";

/** A state key as apps get it: whatever attempt it belongs to, none may be found. */
const STATE_KEY = /psk_[\w-]{100,}/;

/** The names of what is found; empty when the bytes are clean. */
export function findCanaries(bytes: Buffer, canaries: readonly Canary[]): string[] {
  const marked = formsOf(MARK).some((form) => bytes.includes(form));
  const found = canaries
    .filter(({ value }) => marked || !value.startsWith(MARK))
    .filter(({ value }) => formsOf(value).some((form) => bytes.includes(form)))
    .map(({ name }) => name);
  return bytes.includes("psk_") && STATE_KEY.test(bytes.toString("latin1"))
    ? [...found, "a state key"]
    : found;
}

const known = new Map<string, Buffer[]>();

/** Raw, escaped for JSON (once and twice) and for addresses, in hex, and in base64 wherever it begins. */
export function formsOf(secret: string): Buffer[] {
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

/** The characters that depend on the secret alone: those at its ends depend on what stands beside it. */
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

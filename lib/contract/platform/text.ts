/** Rules for texts. Every page loads this file, so it must not import zod: the shapes are in `text-shapes.ts`. */

/** Half of a surrogate pair. */
export const BROKEN_CHARACTER = /\p{Surrogate}/u;

/** PostgreSQL cannot store a NUL character or half of a surrogate pair, although JSON can carry both. */
export function canBeStored(text: string): boolean {
  return !text.includes("\0") && !BROKEN_CHARACTER.test(text);
}

/**
 * The text as PostgreSQL can store it, with U+FFFD in place of what it can't. For text from outside, which nobody here can correct:
 * every parameter of a query passes through it, and JSON through `toStorableJson`. What is sealed, hashed or compared must pass first.
 */
export function makeStorable(text: string): string {
  return canBeStored(text) ? text : text.replaceAll(/\0|\p{Surrogate}/gu, "\uFFFD");
}

/** An escaped backslash, so that the other alternatives find only real escapes; NUL; half of a surrogate pair. */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g;

/** Rare, and found in a fifth of the time that JSON takes to be written. Looking at each escape takes ten times as long. */
const MAY_ESCAPE = /u(?:0000|d[89a-f])/;

/** A value as JSON that PostgreSQL can store, in its names too. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!MAY_ESCAPE.test(json)) return json;
  return json.replaceAll(ESCAPES, (escape) => (escape === "\\\\" ? escape : "\uFFFD"));
}

/** What records have in place of a customer's secret, a state key or a token; the group says which: "secret: apiKey". */
export const REDACTION_MARK = /\[(secret: [^\]"]+|state key|token)\]/g;

/** Any character that is visible: no white space, control character, or mark without a width. */
export const VISIBLE =
  "[^\\s\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFF8\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]";
const visible = new RegExp(VISIBLE, "gu");

export function visibleIn(text: string): string {
  return (text.match(visible) ?? []).join("");
}

export function atMost(characters: number): string {
  return `Use at most ${characters.toLocaleString("en-US")} characters.`;
}

/** The header that carries the state key on every request from the platform to an app. */
export const KEY_HEADER = "x-PLATFORM-key";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID. PostgreSQL refuses to compare anything else with an id. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The smallest UUIDv7 of a millisecond: ids from there on were created then or later. */
export function firstIdAt(moment: Date): string {
  const ms = Math.max(0, Math.min(moment.getTime(), 0xffff_ffff_ffff));
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Processes number their rows with their own clocks, which are apart by less than this. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * An id before those of all rows that began in the last `ageMs` on the database's clock. A query that asks for these adds it, because the
 * indexes of calls are in the order of ids; it still compares the times.
 */
export function firstIdWithin(ageMs: number, now = Date.now()): string {
  return firstIdAt(new Date(now - ageMs - CLOCK_SKEW_MS));
}

/** `Bücher.example` as `xn--bcher-kva.example`. What is not a domain stays as it is. */
export function normalizeDomain(typed: string): string {
  const domain = typed.normalize("NFC").trim().toLowerCase();
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || !URL.canParse(`http://${domain}`)) return domain;
  return new URL(`http://${domain}`).hostname;
}

import { findKeys } from "./find-keys";
import { findSecrets } from "./find-secrets";
import { normalize, normalizeText } from "./normalize-text";
import { redactKeys } from "./redact-keys";
import { type Mark, replaceMarks } from "./replace-marks";
import type { Cut, Match } from "./search-forms";
import type { Secret } from "./secret-forms";

/**
 * Shorter values occur in any text by chance. Removing them would garble unrelated words, and the gaps would reveal the
 * value: "eu" can be guessed from "n[…]tral".
 */
const SHORTEST_PART = 6;

/** Returns the text with `[secret: <setting>]` in place of each value, and without state keys and tokens. */
export type Redaction = (text: string, cut?: Cut) => string;

export const NO_SECRETS: Redaction = redactKeys;

/** Where a text contains keys and secrets. */
export type FindMarks = (text: string, cut?: Cut) => Mark[];

/**
 * Removes values from texts in all of their forms (see secret-forms.ts), at any depth of nesting (see normalize-text.ts).
 * Removes values of less than six characters only if they are a whole JSON string, or the whole text.
 */
export function createRedaction(secrets: readonly Secret[]): Redaction {
  if (secrets.every(({ value }) => value === "")) return NO_SECRETS;
  const find = createMarkFinder(secrets);
  return (text, cut) => replaceMarks(text, find(text, cut));
}

/** What `createRedaction` replaces. */
export function createMarkFinder(secrets: readonly Secret[]): FindMarks {
  const known = secrets.filter(({ value }) => value !== "");
  const whole = new Map(known.map(({ value, name }) => [value, name]));
  const parts = known.filter(({ value }) => value.length >= SHORTEST_PART);
  return (text, cut) => {
    const forms = normalizeText(text);
    const normal = forms.unnested ?? forms.flat;
    const nested =
      normal === undefined
        ? []
        : findSecrets(normal.text, parts, cut, normalize).map(({ start, end, name }) => ({
            ...normal.locate(start, end),
            name,
          }));
    const secrets = [...findSecrets(text, parts, cut), ...nested, ...wholeStrings(text, whole)];
    const marks = secrets.map(({ name, ...place }) => ({ ...place, mark: name && `[secret: ${name}]` }));
    return [...marks, ...findKeys(text, forms)];
  };
}

/** JSON strings, or a whole text, that equal a value. */
function wholeStrings(text: string, values: ReadonlyMap<string, string>): Match[] {
  const alone = values.get(text.trim());
  if (alone !== undefined) return [{ start: 0, end: text.length, name: alone }];
  const matches: Match[] = [];
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = findStringEnd(text, start + 1);
    if (end === -1) break;
    const name = values.get(readString(text, start, end));
    if (name !== undefined) matches.push({ start: start + 1, end, name });
    start = text.indexOf('"', end + 1);
  }
  return matches;
}

/** The position of the closing quote; -1 if there is none. Reads each character once, because texts may be hostile. */
function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x22) return at;
    if (character === 0x5c) at += 1;
  }
  return -1;
}

function readString(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end);
  if (!content.includes("\\")) return content;
  try {
    return String(JSON.parse(text.slice(start, end + 1)));
  } catch {
    return content;
  }
}

/** How much of a payload or an answer is stored for the console. */
export const STORED_BYTES = 16 * 1024;

/** How much of a text is searched for secrets. More than is stored, but less than 1 MiB: its index would take 100 MiB. */
const SEARCHED = 2 * STORED_BYTES;

/**
 * A text of an app or the core as it may be stored: without the keys and secrets that it echoes, and without NUL, which
 * PostgreSQL refuses. Cut last, so that the cut leaves no part of a secret.
 */
export function storableText(text: string, redact: Redaction): string {
  const searched = text.length <= SEARCHED ? redact(text) : `${redact(text.slice(0, SEARCHED), "end")}…`;
  const clean = searched.replaceAll("\0", "\uFFFD");
  const bytes = Buffer.from(clean);
  if (bytes.length <= STORED_BYTES) return clean;
  return `${bytes
    .subarray(0, STORED_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}

export function withoutKey(text: string, stateKey: string): string {
  return text.replaceAll(stateKey, "[state key]");
}

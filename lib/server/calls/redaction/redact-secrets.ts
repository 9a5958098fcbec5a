import { findSecrets } from "./find-secrets";
import type { Cut, Match } from "./search-forms";
import type { Secret } from "./secret-forms";

/**
 * Shorter values occur in any text by chance. Removing them would garble unrelated words, and the gaps would reveal the
 * value: "eu" can be guessed from "n[…]tral".
 */
const SHORTEST_PART = 6;

/** Returns the text with `[secret: <setting>]` in place of each value. */
export type Redaction = (text: string, cut?: Cut) => string;

export const NO_SECRETS: Redaction = (text) => text;

/**
 * Removes values from texts in all of their forms (see secret-forms.ts). Removes values of less than six characters only
 * if they are a whole JSON string, or the whole text.
 */
export function createRedaction(secrets: readonly Secret[]): Redaction {
  const known = secrets.filter(({ value }) => value !== "");
  if (known.length === 0) return NO_SECRETS;
  const whole = new Map(known.map(({ value, name }) => [value, name]));
  const parts = known.filter(({ value }) => value.length >= SHORTEST_PART);
  return (text, cut) => replace(text, [...findSecrets(text, parts, cut), ...wholeStrings(text, whole)]);
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

/** Overlapping matches become one, with the name of the longest. */
function replace(text: string, matches: Match[]): string {
  if (matches.length === 0) return text;
  const merged: (Match & { longest: number })[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    const length = match.end - match.start;
    if (last === undefined || match.start >= last.end) {
      merged.push({ ...match, longest: length });
      continue;
    }
    last.end = Math.max(last.end, match.end);
    if (length > last.longest) Object.assign(last, { longest: length, name: match.name });
  }
  let at = 0;
  const pieces = merged.map(({ start, end, name }) => {
    const piece = text.slice(at, start) + (name === "" ? "" : `[secret: ${name}]`);
    at = end;
    return piece;
  });
  return pieces.join("") + text.slice(at);
}

/** How much of a payload or an answer is stored for the console. */
export const STORED_BYTES = 16 * 1024;

/** How much of a text is searched for secrets. More than is stored, but less than 1 MiB: its index would take 100 MiB. */
const SEARCHED = 4 * STORED_BYTES;

/**
 * A text of an app or the core as it may be stored: without the state key and secrets that it echoes, and without NUL,
 * which PostgreSQL refuses. Cut last, so that the cut leaves no part of a secret.
 */
export function storableText(text: string | null, stateKey: string, secrets: Redaction): string | null {
  if (text === null) return null;
  const clean = withoutSecrets(withoutKey(text, stateKey), secrets).replaceAll("\0", "\uFFFD");
  const bytes = Buffer.from(clean);
  if (bytes.length <= STORED_BYTES) return clean;
  return `${bytes
    .subarray(0, STORED_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}

function withoutSecrets(text: string, redact: Redaction): string {
  return text.length <= SEARCHED ? redact(text) : `${redact(text.slice(0, SEARCHED), "end")}…`;
}

export function withoutKey(text: string, stateKey: string): string {
  return text.replaceAll(stateKey, "[state key]");
}

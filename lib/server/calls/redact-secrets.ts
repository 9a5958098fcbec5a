import { formsOf, type SecretForm } from "./secret-forms";

/** A value that must not be kept or shown, and the setting that it belongs to. */
export interface Secret {
  name: string;
  value: string;
}

/**
 * A shorter one stands in any text by chance. Taking it out there would garble what has nothing to do with it, and tell
 * it: "eu" is known from the words that lack it.
 */
const SHORTEST_PART = 6;

/** A line of a longer value: "}" is one, and tells nothing. */
const SHORTEST_LINE = 16;

interface Match {
  start: number;
  end: number;
  /** Empty where a cut has left so little that it is taken out without a mark. */
  name: string;
}

/** At which end a text was cut, where a part of a value may stand that is not known by the whole any more. */
export type Cut = "start" | "end";

/** The same text with `[secret: <setting>]` in the place of each value. */
export type Redaction = (text: string, cut?: Cut) => string;

export const NO_SECRETS: Redaction = (text) => text;

/**
 * Takes values out of texts wherever they stand, in each of their forms (see secret-forms.ts). Those of less than six
 * characters only where they are all of a JSON string, or of the text.
 */
export function redactionOf(secrets: readonly Secret[]): Redaction {
  const known = secrets.filter(({ value }) => value !== "");
  if (known.length === 0) return NO_SECRETS;
  const whole = new Map(known.map(({ value, name }) => [value, name]));
  const parts = known
    .filter(({ value }) => value.length >= SHORTEST_PART)
    .flatMap(({ name, value }) => [...formsOf(value), ...linesOf(value)].map((form) => ({ name, form })));
  return (text, cut) => {
    const matches = parts.flatMap(({ name, form }) => [
      ...matchesOf(text, form, name),
      ...(cut === undefined ? [] : partAt(text, form.text, cut)),
    ]);
    return replace(text, [...matches, ...wholeStrings(text, whole)]);
  };
}

/** What the cut has left of a form: the longest end of it that the text starts with, or the other way round. */
function partAt(text: string, form: string, cut: Cut): Match[] {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length -= 1) {
    // Most are told apart by one character.
    if (cut === "start") {
      if (text.charCodeAt(length - 1) !== form.charCodeAt(form.length - 1)) continue;
      if (text.startsWith(form.slice(-length))) return [{ start: 0, end: length, name: "" }];
    } else {
      if (text.charCodeAt(text.length - length) !== form.charCodeAt(0)) continue;
      if (text.endsWith(form.slice(0, length)))
        return [{ start: text.length - length, end: text.length, name: "" }];
    }
  }
  return [];
}

/** A log shows a value of several lines, such as a PEM key, line by line. */
function linesOf(value: string): SecretForm[] {
  const lines = value.split(/\r?\n/);
  if (lines.length === 1) return [];
  return lines.filter((line) => line.length >= SHORTEST_LINE).map((text) => ({ text, base64: false }));
}

function matchesOf(text: string, form: SecretForm, name: string): Match[] {
  const matches: Match[] = [];
  for (let at = text.indexOf(form.text); at !== -1;) {
    const end = at + form.text.length;
    matches.push(form.base64 ? withEdges(text, at, end, name) : { start: at, end, name });
    at = text.indexOf(form.text, end);
  }
  return matches;
}

const BASE64 = /[A-Za-z0-9+/_-]/;

/** The characters next to it may hold some of the value's bits. */
function withEdges(text: string, start: number, end: number, name: string): Match {
  const first = BASE64.test(text.charAt(start - 1)) ? start - 1 : start;
  let last = BASE64.test(text.charAt(end)) ? end + 1 : end;
  while (last < end + 3 && text.charAt(last) === "=") last += 1;
  return { start: first, end: last, name };
}

/** JSON strings that are one of the values, and a text that is one. */
function wholeStrings(text: string, values: ReadonlyMap<string, string>): Match[] {
  const alone = values.get(text.trim());
  if (alone !== undefined) return [{ start: 0, end: text.length, name: alone }];
  const matches: Match[] = [];
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = endOfString(text, start + 1);
    if (end === -1) break;
    const name = values.get(stringAt(text, start, end));
    if (name !== undefined) matches.push({ start: start + 1, end, name });
    start = text.indexOf('"', end + 1);
  }
  return matches;
}

/** Where its closing quote stands; -1 when there is none. Each character is looked at once: texts are hostile. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x22) return at;
    if (character === 0x5c) at += 1;
  }
  return -1;
}

function stringAt(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end);
  if (!content.includes("\\")) return content;
  try {
    return String(JSON.parse(text.slice(start, end + 1)));
  } catch {
    return content;
  }
}

/** Matches that overlap become one, under the name of the longest. */
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

import { makeStorable } from "@/lib/contract/platform/text";
import { decode, decodeCut, type DecodedText, decodeText } from "./decode-text";
import { findKeys, joinHexPairs, type Mark, redactKeys, replaceMarks } from "./redact-keys";
import { createSearch, type Cut, type Match } from "./search-forms";
import {
  listDecodedForms,
  listEncodedForms,
  listForms,
  listHexForms,
  listLines,
  type Secret,
  type SecretForm,
  SHORTEST_PART,
} from "./secret-forms";

/** Returns the text with `[secret: <setting>]` in place of each value, and without state keys and tokens. */
export type Redaction = (text: string, cut?: Cut) => string;

export const NO_SECRETS: Redaction = redactKeys;

/** Where a text contains keys and secrets. */
export type FindMarks = (text: string, cut?: Cut) => Mark[];

/**
 * Removes values from texts, however they are written (see secret-forms.ts and decode-text.ts). Removes values of less than six
 * characters only if they are a whole JSON string, or the whole text.
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
  const short = new Map(
    known
      .filter(({ value }) => value.length < SHORTEST_PART && /\w/.test(decode(value)))
      .map(({ value, name }) => [decode(value), name]),
  );
  const asWritten = createFinder(parts, WRITTEN);
  const inDecoded = createFinder(parts, DECODED);
  const inHex = createFinder(parts, HEX);
  const findIn = (decoded: DecodedText, text: string, cut: Cut | undefined): Match[] => {
    const matches = [...inDecoded(decoded.text, cut), ...quotedStrings(decoded.text, short)];
    return matches.flatMap((match) => locateMatch(match, decoded, text, cut));
  };
  return (text, cut) => {
    const decoded = decodeText(text);
    const places = cut === undefined ? [decoded] : decodeCut(text, cut);
    const nested = places.flatMap((place) => (place === undefined ? [] : findIn(place, text, cut)));
    const pairs = joinHexPairs(decoded?.text ?? text);
    const hex =
      pairs === undefined
        ? []
        : inHex(pairs.text, cut).map((match) => ({ ...match, ...pairs.locate(match.start, match.end) }));
    const separated =
      decoded === undefined ? hex : hex.flatMap((match) => locateMatch(match, decoded, text, cut));
    const secrets = [...asWritten(text, cut), ...nested, ...separated, ...wholeStrings(text, whole)];
    const marks = secrets.map(({ start, end, name }) => ({ start, end, mark: name && `[secret: ${name}]` }));
    return [...marks, ...findKeys(text, decoded)];
  };
}

/** Where a match is in the original text; none if its surroundings there are others. */
function locateMatch(
  { start, end, name, within }: Match,
  { locate }: DecodedText,
  text: string,
  cut: Cut | undefined,
): Match[] {
  const place = locate(start, end);
  if (within === undefined) return [{ start: place.start, end: place.end, name }];
  const { before, introducerAfter } = within;
  const next = text.charAt(place.end);
  if (introducerAfter && (next === "" ? cut !== "end" : !"\\%&".includes(next))) return [];
  if (before !== "" && place.letterBefore?.letter !== before) return [];
  return [
    {
      start: before === "" ? place.start : (place.letterBefore?.start ?? place.start),
      end: introducerAfter ? place.afterBackslashes : place.end,
      name,
    },
  ];
}

/** What is between two quotes of a decoded text, whatever level they belong to. */
function quotedStrings(text: string, values: ReadonlyMap<string, string>): Match[] {
  if (values.size === 0) return [];
  const alone = values.get(text.trim());
  if (alone !== undefined) return [{ start: 0, end: text.length, name: alone }];
  const matches: Match[] = [];
  let start = text.indexOf('"');
  while (start !== -1) {
    const end = text.indexOf('"', start + 1);
    if (end === -1) break;
    const name = end - start <= SHORTEST_PART ? values.get(text.slice(start + 1, end)) : undefined;
    if (name !== undefined) matches.push({ start: start + 1, end, name });
    start = end;
  }
  for (const [value, name] of values) if (value.includes('"')) matches.push(...findQuoted(text, value, name));
  return matches;
}

/** A value with quotes of its own is not between two quotes that follow each other. */
function findQuoted(text: string, value: string, name: string): Match[] {
  const matches: Match[] = [];
  const quoted = `"${value.replace(/^"|"$/g, "")}"`;
  for (let at = text.indexOf(quoted); at !== -1; at = text.indexOf(quoted, at + quoted.length - 1))
    matches.push({ start: at + 1, end: at + quoted.length - 1, name });
  return matches;
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
 * A text of an app or the core as it may be stored: without the keys and secrets that it echoes. Cut last, so that the cut leaves no
 * part of a secret.
 */
export function storableText(text: string, redact: Redaction): string {
  const searched = text.length <= SEARCHED ? redact(text) : `${redact(text.slice(0, SEARCHED), "end")}…`;
  const clean = makeStorable(searched);
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

/** Characters of a long value that usually prove its absence. Building their forms is cheap. */
const SAMPLE = 16;

/** How to look for values in one kind of text. */
interface Kind {
  list: (value: string) => SecretForm[];
  /** Each form of the value starts with one of these; if the start of the text was cut, it ends with one. */
  sample: (value: string, cut: Cut | undefined) => SecretForm[];
}

const WRITTEN: Kind = {
  list: listForms,
  sample: (value, cut) => {
    const sample = getSample(value, cut);
    return [{ text: sample, hasEdges: false }, ...listEncodedForms(sample), ...listLines(value)];
  },
};

const DECODED: Kind = {
  list: listDecodedForms,
  sample: (value, cut) => {
    // What the end of a value is depends on how it starts.
    if (value.length <= LONG_SAMPLE || value.includes("\n") || cut === "start")
      return listDecodedForms(value);
    const [whole, ...open] = decodeCut(value.slice(0, LONG_SAMPLE), "end");
    const stable = open.reduce(
      (least, { text }) => (text.length < least.length ? text : least),
      whole?.text ?? "",
    );
    if (stable.length < SAMPLE) return listDecodedForms(value);
    const written = listDecodedForms(stable).filter(({ hasEdges }) => !hasEdges);
    return [...written, ...listEncodedForms(getSample(value, cut))];
  },
};

const HEX: Kind = {
  list: listHexForms,
  sample: (value, cut) => listHexForms(getSample(value, cut)),
};

/** A part of a value of which enough remains when it is decoded. */
const LONG_SAMPLE = 64;

/**
 * Finds the forms of values in a text: at each end position the longest one, and at a cut the longest remaining part of a
 * form. Takes time linear in text and forms together, because both may be hostile. Builds only the forms of values whose
 * sample may occur.
 */
function createFinder(
  secrets: readonly Secret[],
  kind: Kind,
): (text: string, cut: Cut | undefined) => Match[] {
  const sampled = new Map<Cut | undefined, (Secret & { forms: SecretForm[] })[]>();
  const readSamples = (cut: Cut | undefined) => {
    const known =
      sampled.get(cut) ?? secrets.map((each) => ({ ...each, forms: kind.sample(each.value, cut) }));
    sampled.set(cut, known);
    return known;
  };
  return (text, cut) => {
    if (secrets.length === 0) return [];
    const mayOccur = indexWindows(text);
    const isLikely = ({ text: form }: SecretForm) =>
      mayOccur(cut === undefined ? form : getPart(form, WINDOW, cut));
    const samples = readSamples(cut);
    const likely = samples.filter(({ forms }) => forms.some(isLikely));
    const left = cut === undefined ? [] : shortPart(text, samples, cut);
    if (likely.length === 0) return left;
    const search = createSearch(text, cut);
    for (const { name, value } of likely)
      for (const form of kind.list(value).filter(isLikely)) search.find(form, name);
    return [...search.matches(), ...left];
  };
}

/** Never half of a surrogate pair. */
function getSample(value: string, cut: Cut | undefined): string {
  if (value.length <= 2 * SAMPLE) return value;
  const part = getPart(value, SAMPLE, cut);
  return cut === "start" ? part.replace(/^[\uDC00-\uDFFF]/, "") : part.replace(/[\uD800-\uDBFF]$/, "");
}

/** The end of a form if the start of the text was cut, otherwise its start. */
function getPart(form: string, length: number, cut: Cut | undefined): string {
  return cut === "start" ? form.slice(-length) : form.slice(0, length);
}

/** The rest of a form at a cut, if it is shorter than a window. */
function shortPart(text: string, samples: readonly { forms: SecretForm[] }[], cut: Cut): Match[] {
  for (let length = Math.min(WINDOW - 1, text.length); length > 0; length -= 1) {
    const start = cut === "start" ? 0 : text.length - length;
    const rest = text.slice(start, start + length);
    if (samples.some(({ forms }) => forms.some((form) => getPart(form.text, length, cut) === rest)))
      return [{ start, end: start + length, name: "" }];
  }
  return [];
}

/** The shortest text that is searched for, except at a cut. */
const WINDOW = 6;

/** Random, because texts may be hostile: nobody can predict collisions. */
const BASE = Math.floor(Math.random() * 2 ** 31) | 1;
const OLDEST = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);

/**
 * A cheap test for words: false only if the word does not occur in the text. It has a hash of every six consecutive
 * characters, in a table with open addressing; 0 means empty.
 */
function indexWindows(text: string): (word: string) => boolean {
  const mask = 2 ** Math.ceil(Math.log2(2 * text.length + 2)) - 1;
  const hashes = new Int32Array(mask + 1);
  const findSlot = (hash: number): number => {
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  everyWindow(text, (hash) => {
    hashes[findSlot(hash)] = hash;
    return true;
  });
  return (word) => everyWindow(word, (hash) => hashes[findSlot(hash)] === hash);
}

/** Whether `holds` returns true for the hash of every window. Stops at the first false. */
function everyWindow(text: string, holds: (hash: number) => boolean): boolean {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum, BASE) + text.charCodeAt(at);
    if (at >= WINDOW) sum -= Math.imul(text.charCodeAt(at - WINDOW), OLDEST);
    if (at >= WINDOW - 1 && !holds(Math.imul(sum ^ (sum >>> 15), 0x85ebca6b) | 1)) return false;
  }
  return true;
}

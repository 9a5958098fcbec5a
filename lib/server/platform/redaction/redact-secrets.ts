import { makeStorable } from "@/lib/contract/platform/text";
import { normalize, normalizeText } from "./normalize-text";
import { findKeys, type Mark, redactKeys, replaceMarks } from "./redact-keys";
import { createSearch, type Cut, type Match } from "./search-forms";
import {
  listEncodedForms,
  listForms,
  listLines,
  listWrittenForms,
  type Secret,
  type SecretForm,
} from "./secret-forms";

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

/**
 * Finds the forms of values in a text: at each end position the longest one, and at a cut the longest remaining part of a
 * form. Takes time linear in text and forms together, because both may be hostile. Builds only the forms of values whose
 * sample may occur. `normalize`: what was done to the text, and must be done to the forms (see normalize-text.ts).
 */
function findSecrets(
  text: string,
  secrets: readonly Secret[],
  cut?: Cut,
  normalize?: (form: string) => string,
): Match[] {
  const mayOccur = indexWindows(text);
  const isLikely = ({ text: form }: SecretForm) =>
    mayOccur(cut === undefined ? form : getPart(form, WINDOW, cut));
  const samples = secrets.map((secret) => ({
    ...secret,
    forms: listSamples(secret.value, text, mayOccur, cut, normalize),
  }));
  const likely = samples.filter(({ forms }) => forms.some(isLikely));
  const left = cut === undefined ? [] : shortPart(text, samples, cut);
  if (likely.length === 0) return left;
  const search = createSearch(text, cut);
  for (const { name, value } of likely)
    for (const form of prepare([...listForms(value), ...listLines(value)], normalize).filter(isLikely))
      search.find(form, name);
  return [...search.matches(), ...left];
}

/** Each form starts with one of these; if the start of the text was cut, it ends with one. */
function listSamples(
  value: string,
  text: string,
  mayOccur: (word: string) => boolean,
  cut: Cut | undefined,
  normalize?: (form: string) => string,
): SecretForm[] {
  // No form is shorter than its value.
  if (cut === undefined && normalize === undefined && value.length > text.length) return listLines(value);
  const sample = getSample(value, cut);
  const isNormal = normalize === undefined || normalize(sample) === sample;
  const words = cut === undefined ? SOME_WORD : cut === "start" ? LAST_WORD : FIRST_WORD;
  const word = isNormal ? words.exec(sample)?.[0] : undefined;
  const written =
    word === undefined || mayOccur(word) ? listWrittenForms(sample) : [{ text: sample, hasEdges: false }];
  const forms = prepare([...written, ...listEncodedForms(sample)], normalize);
  // At the end of a sample, normalizing cannot see what follows.
  const whole = normalize === undefined || sample.length === value.length;
  const seen = whole ? forms : forms.map((form) => ({ ...form, text: dropEdge(form.text, cut) }));
  return [...seen, ...prepare(listLines(value), normalize)];
}

/** No way of writing a value changes these, so their absence proves its absence. At a cut, the next characters may be gone. */
const SOME_WORD = /[A-Za-z0-9]{6,}/;
const FIRST_WORD = /^[A-Za-z0-9]{6}/;
const LAST_WORD = /[A-Za-z0-9]{6}$/;

/** Longer than anything that normalizing reads at once. */
const EDGE = 8;

function dropEdge(form: string, cut: Cut | undefined): string {
  return cut === "start" ? form.slice(EDGE) : form.slice(0, -EDGE);
}

/** Forms that normalizing makes equal are searched once. */
function prepare(forms: SecretForm[], normalize?: (form: string) => string): SecretForm[] {
  if (normalize === undefined) return forms;
  const normal = new Map(forms.map(({ text, hasEdges }) => [normalize(text), hasEdges] as const));
  return [...normal].map(([text, hasEdges]) => ({ text, hasEdges }));
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

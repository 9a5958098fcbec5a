import { listForms, listLines, type Secret, type SecretForm } from "./secret-forms";
import { type Cut, type Match, createSearch } from "./search-forms";

/** So much of a long value tells mostly that nothing of it stands in a text, and its forms are built in no time. */
const SAMPLE = 16;

/**
 * Where the forms of values stand in a text: of those that end at one place, the longest; and the longest part of a form
 * that a cut has left. The time is linear in the text and the forms together, for both may be hostile. The forms are
 * built only of the values that a sample does not rule out.
 */
export function findSecrets(text: string, secrets: readonly Secret[], cut?: Cut): Match[] {
  const mayStand = indexWindows(text);
  const isLikely = ({ text: form }: SecretForm) =>
    mayStand(cut === undefined ? form : getPart(form, WINDOW, cut));
  const samples = secrets.map((secret) => ({ ...secret, forms: listSamples(secret.value, text, cut) }));
  const likely = samples.filter(({ forms }) => forms.some(isLikely));
  const left = cut === undefined ? [] : shortPart(text, samples, cut);
  if (likely.length === 0) return left;
  const search = createSearch(text, cut);
  for (const { name, value } of likely)
    for (const form of [...listForms(value), ...listLines(value)].filter(isLikely)) search.find(form, name);
  return [...search.matches(), ...left];
}

/** Each form begins with one of these; where the text's start was cut, it ends with one. */
function listSamples(value: string, text: string, cut: Cut | undefined): SecretForm[] {
  // No form is shorter than its value.
  if (cut === undefined && value.length > text.length) return listLines(value);
  return [...listForms(getSample(value, cut)), ...listLines(value)];
}

/** Not cut within a character of two units. */
function getSample(value: string, cut: Cut | undefined): string {
  if (value.length <= 2 * SAMPLE) return value;
  const part = getPart(value, SAMPLE, cut);
  return cut === "start" ? part.replace(/^[\uDC00-\uDFFF]/, "") : part.replace(/[\uD800-\uDBFF]$/, "");
}

/** What of a form would stand at the cut, or its first characters. */
function getPart(form: string, length: number, cut: Cut | undefined): string {
  return cut === "start" ? form.slice(-length) : form.slice(0, length);
}

/** What a cut has left of a form, where that is too little for the table. */
function shortPart(text: string, samples: readonly { forms: SecretForm[] }[], cut: Cut): Match[] {
  for (let length = Math.min(WINDOW - 1, text.length); length > 0; length -= 1) {
    const start = cut === "start" ? 0 : text.length - length;
    const stands = text.slice(start, start + length);
    if (samples.some(({ forms }) => forms.some((form) => getPart(form.text, length, cut) === stands)))
      return [{ start, end: start + length, name: "" }];
  }
  return [];
}

/** The length that the search for secrets begins with: nothing shorter is searched for within a text. */
const WINDOW = 6;

/** Texts are hostile: nobody shall know which hashes fall on the same place. */
const BASE = Math.floor(Math.random() * 2 ** 31) | 1;
const OLDEST = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);

/**
 * Tells words that do not stand in a text at little cost: false only when `word` does not. Kept is a hash of each six
 * characters in a row, in a table with open addressing; in the table, 0 is none.
 */
function indexWindows(text: string): (word: string) => boolean {
  const mask = 2 ** Math.ceil(Math.log2(2 * text.length + 2)) - 1;
  const hashes = new Int32Array(mask + 1);
  const findSlot = (hash: number): number => {
    let place = (hash ^ (hash >>> 13)) & mask;
    while (hashes[place] !== 0 && hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  };
  everyWindow(text, (hash) => {
    hashes[findSlot(hash)] = hash;
    return true;
  });
  return (word) => everyWindow(word, (hash) => hashes[findSlot(hash)] === hash);
}

/** Ends as soon as `holds` says false, and says so. */
function everyWindow(text: string, holds: (hash: number) => boolean): boolean {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum, BASE) + text.charCodeAt(at);
    if (at >= WINDOW) sum -= Math.imul(text.charCodeAt(at - WINDOW), OLDEST);
    if (at >= WINDOW - 1 && !holds(Math.imul(sum ^ (sum >>> 15), 0x85ebca6b) | 1)) return false;
  }
  return true;
}

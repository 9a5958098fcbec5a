/** The length that the search for secrets begins with: nothing shorter is searched for within a text. */
export const WINDOW = 6;

/** Texts are hostile: nobody shall know which hashes fall on the same place. */
const BASE = Math.floor(Math.random() * 2 ** 31) | 1;
const OLDEST = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);

/**
 * Tells words that do not stand in a text at little cost: false only when `word` does not. Kept is a hash of each six
 * characters in a row, in a table with open addressing; in the table, 0 is none.
 */
export function windowsOf(text: string): (word: string) => boolean {
  const mask = 2 ** Math.ceil(Math.log2(2 * text.length + 2)) - 1;
  const hashes = new Int32Array(mask + 1);
  const placeOf = (hash: number): number => {
    let place = (hash ^ (hash >>> 13)) & mask;
    while (hashes[place] !== 0 && hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  };
  everyWindow(text, (hash) => {
    hashes[placeOf(hash)] = hash;
    return true;
  });
  return (word) => everyWindow(word, (hash) => hashes[placeOf(hash)] === hash);
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

import type { SecretForm } from "./secret-forms";
import { indexText, NOTHING_READ, NOWHERE, type TextIndex } from "./text-index";

export interface Match {
  start: number;
  end: number;
  /** Empty for a part of a form at a cut, which is removed without a mark. */
  name: string;
}

/** The end at which a text was cut. Part of a value may remain there. */
export type Cut = "start" | "end";

/**
 * Searches a text for many forms, each in as many steps as it has characters. If the start of the text was cut, text and
 * forms are read backward, so that the rest of a form at the cut is where the reading ends.
 */
export function createSearch(text: string, cut: Cut | undefined) {
  const backward = cut === "start";
  const unitAt = (word: string, at: number) => word.charCodeAt(backward ? word.length - 1 - at : at);
  const index = indexText(text.length, (at) => unitAt(text, at));
  const endings = cut === undefined ? undefined : markEndings(index);
  const found: { name: string; length: number }[] = [];
  /** By state: the longest form that ends there, as its index in `found` plus one. */
  const plain = new Int32Array(index.size);
  const edged = new Int32Array(index.size);
  let left = 0;

  const locate = (end: number, length: number) =>
    backward ? { start: text.length - end, end: text.length - end + length } : { start: end - length, end };

  return {
    find(form: SecretForm, name: string): void {
      const { length } = form.text;
      if (endings === undefined && length > text.length) return;
      let state = NOTHING_READ;
      for (let read = 0; read < length; read += 1) {
        if (endings?.[state] === 1) left = Math.max(left, read);
        state = index.step(state, unitAt(form.text, read));
        if (state === NOWHERE) return;
      }
      const longest = form.hasEdges ? edged : plain;
      if ((found[(longest[state] ?? 0) - 1]?.length ?? 0) < length)
        longest[state] = found.push({ name, length });
    },

    matches(): Match[] {
      const cutOff: Match[] = left === 0 ? [] : [{ ...locate(text.length, left), name: "" }];
      if (found.length === 0) return cutOff;
      const matches: Match[] = [];
      const shortFirst = sortByLength(index);
      for (const longest of [plain, edged]) {
        inherit(longest, index, shortFirst);
        index.reached.forEach((state, at) => {
          const form = found[(longest[state] ?? 0) - 1];
          if (form === undefined) return;
          const match = { ...locate(at + 1, form.length), name: form.name };
          matches.push(longest === edged ? addEdges(text, match) : match);
        });
      }
      return [...matches, ...cutOff];
    },
  };
}

/** 1 for the states of all suffixes of the text. */
function markEndings({ ends, reached, size }: TextIndex): Uint8Array {
  const endings = new Uint8Array(size);
  for (let state = reached.at(-1) ?? NOWHERE; state > NOTHING_READ; state = ends[state] ?? NOWHERE)
    endings[state] = 1;
  return endings;
}

/** A form that ends at a state's longest shorter suffix also ends at the state itself. */
function inherit(longest: Int32Array, { ends }: TextIndex, shortFirst: Int32Array): void {
  for (const state of shortFirst)
    if (state !== NOTHING_READ && longest[state] === 0)
      longest[state] = longest[ends[state] ?? NOTHING_READ] ?? 0;
}

/** The states sorted by length (counting sort). */
function sortByLength({ lengths, reached, size }: TextIndex): Int32Array {
  const next = new Int32Array(reached.length + 2);
  for (let state = 0; state < size; state += 1)
    next[(lengths[state] ?? 0) + 1] = (next[(lengths[state] ?? 0) + 1] ?? 0) + 1;
  for (let length = 1; length < next.length; length += 1)
    next[length] = (next[length] ?? 0) + (next[length - 1] ?? 0);
  const sorted = new Int32Array(size);
  for (let state = 0; state < size; state += 1) {
    const length = lengths[state] ?? 0;
    sorted[next[length] ?? 0] = state;
    next[length] = (next[length] ?? 0) + 1;
  }
  return sorted;
}

const BASE64 = /[A-Za-z0-9+/_-]/;

/** Adds the adjacent base64 characters, which may contain some of the value's bits. */
function addEdges(text: string, { start, end, name }: Match): Match {
  const first = BASE64.test(text.charAt(start - 1)) ? start - 1 : start;
  let last = BASE64.test(text.charAt(end)) ? end + 1 : end;
  while (last < end + 3 && text.charAt(last) === "=") last += 1;
  return { start: first, end: last, name };
}

import type { SecretForm } from "./secret-forms";

export interface Match {
  start: number;
  end: number;
  /** Empty for a part of a form at a cut, which is removed without a mark. */
  name: string;
  within?: SecretForm["within"];
}

/** The end at which a text was cut. Part of a value may remain there. */
export type Cut = "start" | "end";

/**
 * Searches a text for many forms, each in as many steps as it has characters. If the start of the text was cut, text and
 * forms are read backward, so that reading ends with the rest of a form at the cut.
 */
export function createSearch(text: string, cut: Cut | undefined) {
  const backward = cut === "start";
  const unitAt = (word: string, at: number) => word.charCodeAt(backward ? word.length - 1 - at : at);
  const index = indexText(text.length, (at) => unitAt(text, at));
  const endings = cut === undefined ? undefined : markEndings(index);
  const found: { name: string; length: number; within: SecretForm["within"] }[] = [];
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
      const known = found[(longest[state] ?? 0) - 1];
      const isBetter = known?.length === length && known.within !== undefined && form.within === undefined;
      if ((known?.length ?? 0) < length || isBetter)
        longest[state] = found.push({ name, length, within: form.within });
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
          const match = { ...locate(at + 1, form.length), name: form.name, within: form.within };
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

/**
 * A suffix automaton of a text: finds a word in as many steps as the word has characters, however often it occurs. Built
 * in time and space linear in the text. Characters are UTF-16 units. See docs/decisions/010 for why not `indexOf`.
 */
interface TextIndex {
  /** The state after reading one more unit; `NOWHERE` if that does not occur in the text. */
  step(state: number, unit: number): number;
  /** By state: the state of its longest suffix that also occurs elsewhere (the suffix link). */
  ends: Int32Array;
  /** By state: the length of its longest word. */
  lengths: Int32Array;
  /** By position: the state of the text up to and including it. */
  reached: Int32Array;
  /** The number of states. The first has read nothing. */
  size: number;
}

const NOTHING_READ = 0;
const NOWHERE = -1;

/** Random, because texts may be hostile: nobody can predict collisions. */
const SEED = Math.floor(Math.random() * 2 ** 31) | 1;

/** `unitAt` returns the text's units, in the order in which words are read. */
function indexText(length: number, unitAt: (position: number) => number): TextIndex {
  const lengths = new Int32Array(2 * length + 1);
  const ends = new Int32Array(2 * length + 1);
  const reached = new Int32Array(length);
  const steps = stepTable(length);
  ends[NOTHING_READ] = NOWHERE;
  let size = 1;
  let last = NOTHING_READ;

  /** Splits off the words of `shared` that extend `before` by `unit`, because they occur at more positions. */
  const split = (before: number, unit: number, shared: number): number => {
    const part = size++;
    lengths[part] = at(lengths, before) + 1;
    ends[part] = at(ends, shared);
    ends[shared] = part;
    steps.copy(shared, part);
    for (let state = before; state !== NOWHERE && steps.get(state, unit) === shared; state = at(ends, state))
      steps.set(state, unit, part);
    return part;
  };

  for (let position = 0; position < length; position += 1) {
    const unit = unitAt(position);
    const next = size++;
    lengths[next] = position + 1;
    let state = last;
    let known = NOWHERE;
    for (; state !== NOWHERE; state = at(ends, state)) {
      known = steps.get(state, unit);
      if (known !== NOWHERE) break;
      steps.set(state, unit, next);
    }
    if (state === NOWHERE) ends[next] = NOTHING_READ;
    else ends[next] = at(lengths, known) === at(lengths, state) + 1 ? known : split(state, unit, known);
    reached[position] = next;
    last = next;
  }
  return { step: steps.get, ends, lengths, reached, size };
}

/** For the compiler: all indexes here are in range. */
function at(numbers: Int32Array | Uint16Array, index: number): number {
  return numbers[index] ?? 0;
}

/** Maps a state and a unit to a state: a hash table with open addressing, large enough for all steps of a text. */
function stepTable(length: number) {
  const capacity = 2 ** Math.ceil(Math.log2(4 * length + 16));
  /** Four numbers a step, adjacent for the cache: from, unit, to, and the previous step of the same state. */
  const table = new Int32Array(4 * capacity);
  const mask = 4 * capacity - 1;
  /** The newest step of each state. Here and in the table, states and slots are plus one, so that 0 means none. */
  const newest = new Int32Array(2 * length + 1);

  const findSlot = (state: number, unit: number): number => {
    let hash = Math.imul(state, 0x9e3779b1) + Math.imul(unit, SEED);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    let slot = ((hash ^ (hash >>> 13)) << 2) & mask;
    while (table[slot] !== 0 && (table[slot] !== state + 1 || table[slot + 1] !== unit))
      slot = (slot + 4) & mask;
    return slot;
  };
  const get = (state: number, unit: number): number => {
    const slot = findSlot(state, unit);
    return at(table, slot) === 0 ? NOWHERE : at(table, slot + 2);
  };
  const set = (state: number, unit: number, target: number): void => {
    const slot = findSlot(state, unit);
    table[slot + 2] = target;
    if (table[slot] !== 0) return;
    table[slot] = state + 1;
    table[slot + 1] = unit;
    table[slot + 3] = at(newest, state);
    newest[state] = slot + 1;
  };
  const copy = (state: number, other: number): void => {
    for (let step = at(newest, state); step !== 0; step = at(table, step + 2))
      set(other, at(table, step), at(table, step + 1));
  };
  return { get, set, copy };
}

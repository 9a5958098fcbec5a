/**
 * All that stands in a text, so that a word is followed through it in as many steps as the word has characters, however
 * often it stands there: a suffix automaton. Built in time and space linear in the text, whatever the text is; a
 * character is a UTF-16 unit.
 */
export interface TextIndex {
  /** What was read so far and then `unit`; `NOWHERE` when that does not stand in the text. */
  step(state: number, unit: number): number;
  /** By state: the one of its longest end that also stands elsewhere. Of what a state reads, all has the same ends. */
  ends: Int32Array;
  /** By state: the length of the longest that it reads. */
  lengths: Int32Array;
  /** By position: the state of the text up to there, that character with it. */
  reached: Int32Array;
  /** How many states there are; the first has read nothing. */
  size: number;
}

export const NOTHING_READ = 0;
export const NOWHERE = -1;

/** Texts are hostile: nobody shall know which entries of the table fall on the same place. */
const SEED = Math.floor(Math.random() * 2 ** 31) | 1;

/** `unitAt` gives the text's characters, in the order in which words are followed. */
export function indexText(length: number, unitAt: (position: number) => number): TextIndex {
  const lengths = new Int32Array(2 * length + 1);
  const ends = new Int32Array(2 * length + 1);
  const reached = new Int32Array(length);
  const steps = stepTable(length);
  ends[NOTHING_READ] = NOWHERE;
  let size = 1;
  let last = NOTHING_READ;

  /** The state of what `before` reads and then `unit`, which stands at more places than the rest of `shared` does. */
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

/** The compiler does not know that an index is within; all here are. */
function at(numbers: Int32Array | Uint16Array, index: number): number {
  return numbers[index] ?? 0;
}

/** From a state and a character to a state: a hash table with open addressing, with room for all steps of a text. */
function stepTable(length: number) {
  const capacity = 2 ** Math.ceil(Math.log2(4 * length + 16));
  /** Four numbers a step, side by side for the cache: from, character, to, and the step that its state got before. */
  const table = new Int32Array(4 * capacity);
  const mask = 4 * capacity - 1;
  /** The newest step of each state. Here and in the table one is added to states and places, so that 0 is none. */
  const newest = new Int32Array(2 * length + 1);

  const findSlot = (state: number, unit: number): number => {
    let hash = Math.imul(state, 0x9e3779b1) + Math.imul(unit, SEED);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    let place = ((hash ^ (hash >>> 13)) << 2) & mask;
    while (table[place] !== 0 && (table[place] !== state + 1 || table[place + 1] !== unit))
      place = (place + 4) & mask;
    return place;
  };
  const get = (state: number, unit: number): number => {
    const place = findSlot(state, unit);
    return at(table, place) === 0 ? NOWHERE : at(table, place + 2);
  };
  const set = (state: number, unit: number, target: number): void => {
    const place = findSlot(state, unit);
    table[place + 2] = target;
    if (table[place] !== 0) return;
    table[place] = state + 1;
    table[place + 1] = unit;
    table[place + 3] = at(newest, state);
    newest[state] = place + 1;
  };
  const copy = (state: number, other: number): void => {
    for (let step = at(newest, state); step !== 0; step = at(table, step + 2))
      set(other, at(table, step), at(table, step + 1));
  };
  return { get, set, copy };
}

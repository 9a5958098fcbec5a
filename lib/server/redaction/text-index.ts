/**
 * A suffix automaton of a text: finds a word in as many steps as the word has characters, however often it occurs. Built
 * in time and space linear in the text. Characters are UTF-16 units. See docs/decisions/014 for why not `indexOf`.
 */
export interface TextIndex {
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

export const NOTHING_READ = 0;
export const NOWHERE = -1;

/** Random, because texts may be hostile: nobody can predict collisions. */
const SEED = Math.floor(Math.random() * 2 ** 31) | 1;

/** `unitAt` returns the text's units, in the order in which words are read. */
export function indexText(length: number, unitAt: (position: number) => number): TextIndex {
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

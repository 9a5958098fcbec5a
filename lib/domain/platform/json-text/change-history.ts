/** Undo and redo for a text. Each change stores the removed and the inserted text. */

export interface TextChange {
  at: number;
  removed: string;
  inserted: string;
  /** A label such as "Rename setting". */
  what: string;
  /** Consecutive changes with the same key, within `MERGE_MS`, are undone together. */
  merge?: string;
  /** Milliseconds. */
  time: number;
}

export interface ChangeHistory {
  done: readonly TextChange[];
  undone: readonly TextChange[];
}

export const NO_HISTORY: ChangeHistory = { done: [], undone: [] };

const MERGE_MS = 1_500;
const MOST_CHANGES = 1_000;

export interface ChangeNote {
  what: string;
  merge?: string;
  time: number;
}

/** The history after `before` became `after`. Unchanged if the texts are equal. */
export function recordChange(
  history: ChangeHistory,
  before: string,
  after: string,
  note: ChangeNote,
): ChangeHistory {
  if (before === after) return history;
  const last = history.done.at(-1);
  const merges =
    note.merge !== undefined &&
    last?.merge === note.merge &&
    history.undone.length === 0 &&
    note.time - last.time < MERGE_MS;
  const from = merges ? undo(before, last) : before;
  const earlier = merges ? history.done.slice(0, -1) : history.done;
  if (from === after) return { done: earlier, undone: [] };
  return { done: [...earlier, { ...findDifference(from, after), ...note }].slice(-MOST_CHANGES), undone: [] };
}

/** Undefined if there is nothing to undo. */
export function undoChange(history: ChangeHistory, text: string) {
  const change = history.done.at(-1);
  if (change === undefined) return undefined;
  const undone = [...history.undone, change];
  return { text: undo(text, change), change, history: { done: history.done.slice(0, -1), undone } };
}

/** Undefined if there is nothing to redo. */
export function redoChange(history: ChangeHistory, text: string) {
  const change = history.undone.at(-1);
  if (change === undefined) return undefined;
  const after = text.slice(0, change.at) + change.inserted + text.slice(change.at + change.removed.length);
  // Later keystrokes must not merge into a redone change.
  const done = [...history.done, { ...change, merge: undefined }];
  return { text: after, change, history: { done, undone: history.undone.slice(0, -1) } };
}

/** The smallest single replacement that turns `before` into `after`. */
export function findDifference(
  before: string,
  after: string,
): Pick<TextChange, "at" | "removed" | "inserted"> {
  const most = Math.min(before.length, after.length);
  const at = countWhile(most, (from, to) => before.slice(from, to) === after.slice(from, to));
  const tail = countWhile(
    most - at,
    (from, to) =>
      before.slice(before.length - to, before.length - from) ===
      after.slice(after.length - to, after.length - from),
  );
  return {
    at,
    removed: before.slice(at, before.length - tail),
    inserted: after.slice(at, after.length - tail),
  };
}

/** The largest count up to `most` for which `isSame` is true. Compares blocks: character by character took 4 ms per MB. */
function countWhile(most: number, isSame: (from: number, to: number) => boolean): number {
  let count = 0;
  for (let block = 4096; block >= 1; block = block >> 4) {
    while (count + block <= most && isSame(count, count + block)) count += block;
  }
  return count;
}

function undo(text: string, change: TextChange): string {
  return text.slice(0, change.at) + change.removed + text.slice(change.at + change.inserted.length);
}

import type { Path } from "@/lib/domain/json-text/json-value";
import type { JsonEdit } from "@/lib/domain/json-text/edit-text";

/** The smallest edit that turns one list of strings into another, which keeps the formatting of the rest. Undefined if they are equal. */
export function listEdit(
  list: Path,
  before: readonly string[],
  after: readonly string[],
): JsonEdit | undefined {
  const length = Math.min(before.length, after.length);
  let at = 0;
  while (at < length && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < length - at && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const removed = before.length - at - tail;
  const added = after.length - at - tail;
  if (removed === 0 && added === 0) return undefined;
  if (removed === 1 && added === 1) return { type: "set", path: [...list, at], value: after[at] };
  if (removed === 0 && added === 1) return { type: "insert", list, index: at, value: after[at] };
  if (removed === 1 && added === 0) return { type: "remove", list, index: at };
  return { type: "set", path: list, value: [...after] };
}

/** How problems are counted and located, and the order in which F8 visits them. */
import { isError, SEVERITIES, type Issue } from "@/lib/contract/problem";
import { getMember } from "@/lib/domain/json-text/json-value";
import { ENTRY_KINDS, ENTRY_LISTS, type Entry, type EntryKind } from "@/lib/domain/manifest/outline/entry";
import type { EditorStore } from "../model/editor-store";
import { capitalize, countText, SECTION_LABELS, shorten } from "../model/labels";

/** "2 errors, 1 warning", or "No problems". */
export function countProblems(issues: readonly Issue[]): string {
  const parts = SEVERITIES.flatMap((each) => {
    const count = issues.filter(({ severity = "error" }) => severity === each).length;
    return count > 0 ? [countText(count, each)] : [];
  });
  return parts.length === 0 ? "No problems" : parts.join(", ");
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some(isError);
}

/** "Settings › region › values › 2 › text" */
export function locationText(pointer: string, entries: readonly Entry[]): string {
  const parts = parsePointer(pointer);
  if (parts.length === 0) return "The whole text";
  const kind = ENTRY_KINDS.find((each) => ENTRY_LISTS[each].every((part, index) => parts[index] === part));
  if (kind === undefined) return join(parts.map(oneBased));
  const [index, ...rest] = parts.slice(ENTRY_LISTS[kind].length);
  const entry = index === undefined ? [] : [entryName(kind, index, entries)];
  return join([SECTION_LABELS[kind].title, ...entry, ...rest.map(oneBased)]);
}

/** Jumps to the problem after or before the last visited one, and wraps around. */
export function jumpToNextProblem(store: EditorStore, by: 1 | -1): void {
  const { issues, jump } = store.getState();
  const last = issues.findIndex(
    ({ pointer, line = 1, column = 1 }) =>
      pointer === jump?.pointer && line === jump.line && column === jump.column,
  );
  const start = last === -1 && by < 0 ? 0 : last;
  const next = issues[(start + by + issues.length) % issues.length];
  if (next === undefined) return store.announce("No problems");
  store.jumpTo(next);
  store.announce(`${capitalize(next.severity ?? "error")}: ${next.message}`);
}

function entryName(kind: EntryKind, index: string, entries: readonly Entry[]): string {
  const entry = entries.find((each) => each.kind === kind && String(each.index) === index);
  const known = [getMember(entry?.value, "name"), getMember(entry?.value, "path"), entry?.value];
  const name = known.find((each) => typeof each === "string" && each !== "");
  return typeof name === "string" ? name : oneBased(index);
}

function oneBased(part: string): string {
  return /^\d{1,6}$/.test(part) ? String(Number(part) + 1) : part;
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function join(parts: readonly string[]): string {
  return parts.map((part) => shorten(part, 40)).join(" › ");
}

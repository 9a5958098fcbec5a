/** Where a problem is, for people: "Settings › region › values › 2 › text". */

import { getMember } from "@/lib/domain/json-text/json-value";
import { type Entry, type EntryKind, ENTRY_LISTS } from "@/lib/domain/manifest/outline/entry";
import type { Issue } from "@/lib/contract/problem";
import type { EditorStore } from "../model/editor-store";

const LIST_WORDS = {
  setting: "Settings",
  mapping: "Mapping fields",
  webhook: "Webhooks",
  autofill: "Autofill",
  rater: "External raters",
  lifecycle: "Lifecycle hooks",
} as const satisfies Record<EntryKind, string>;

export function placeText(pointer: string, entries: readonly Entry[]): string {
  const parts = partsOf(pointer);
  if (parts.length === 0) return "The whole text";
  for (const [kind, list] of listsOf()) {
    if (!list.every((part, index) => parts[index] === part)) continue;
    const [index, ...rest] = parts.slice(list.length);
    const words: string[] = [LIST_WORDS[kind]];
    if (index !== undefined) words.push(entryWord(kind, index, entries));
    return [...words, ...rest.map(oneBased)].map(shorten).join(" › ");
  }
  return parts.map(oneBased).map(shorten).join(" › ");
}

function listsOf(): [EntryKind, readonly string[]][] {
  const kinds: EntryKind[] = ["setting", "mapping", "webhook", "autofill", "rater", "lifecycle"];
  return kinds.map((kind) => [kind, ENTRY_LISTS[kind]]);
}

/** By its name or path; by its place where it has none. */
function entryWord(kind: EntryKind, index: string, entries: readonly Entry[]): string {
  const entry = entries.find((each) => each.kind === kind && String(each.index) === index);
  const known = [getMember(entry?.value, "name"), getMember(entry?.value, "path"), entry?.value];
  const word = known.find((each) => typeof each === "string" && each !== "");
  return typeof word === "string" ? word : oneBased(index);
}

function oneBased(part: string): string {
  return /^\d{1,6}$/.test(part) ? String(Number(part) + 1) : part;
}

function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** "2 errors, 1 warning"; "No problems" when there are none. */
export function countText(issues: readonly Issue[]): string {
  const warnings = issues.filter(({ severity }) => severity === "warning").length;
  const errors = issues.length - warnings;
  const parts = [countOf(errors, "error"), countOf(warnings, "warning")].filter((part) => part !== "");
  return parts.length === 0 ? "No problems" : parts.join(", ");
}

export function countOf(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some(({ severity }) => severity !== "warning");
}

/** From the problem that was looked at last to the one after or before it, around the end. */
export function jumpToNextProblem(store: EditorStore, by: 1 | -1): void {
  const { issues, jump } = store.state();
  if (issues.length === 0) {
    store.announce("No problems");
    return;
  }
  const last = issues.findIndex(
    ({ pointer, line = 1, column = 1 }) =>
      pointer === jump?.pointer && line === jump.line && column === jump.column,
  );
  const start = last === -1 && by < 0 ? 0 : last;
  const next = issues[(start + by + issues.length) % issues.length];
  if (next === undefined) return;
  store.jumpTo(next);
  store.announce(`${next.severity === "warning" ? "Warning" : "Error"}: ${next.message}`);
}

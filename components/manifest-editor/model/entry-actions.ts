/** What can be done with entries, from wherever it is asked: the palette, the list, its menus, and the commands. */
import { isRecord, getMember } from "@/lib/domain/json-text/json-value";
import {
  freeName,
  freePath,
  toEntryKind,
  newEntry,
  type Ingredient,
} from "@/lib/domain/manifest/outline/new-entry";
import { ENTRY_LISTS, type Entry, type EntryKind } from "@/lib/domain/manifest/outline/entry";
import { capital, printable, wordOf } from "./labels";
import type { EditorStore } from "./editor-store";

/** A new entry, selected, before the one at `index` of its list; at the end without one. */
export function addEntry(store: EditorStore, ingredient: Ingredient, index?: number): void {
  const { entries } = store.state().outline;
  const kind = toEntryKind(ingredient);
  const value = newEntry(ingredient, entries);
  if (value === undefined) {
    store.announce("All lifecycle hooks are there already");
    return;
  }
  const count = entries.filter((entry) => entry.kind === kind).length;
  const at = Math.min(index ?? count, count);
  store.edit(
    { type: "insert", list: ENTRY_LISTS[kind], index: at, value },
    { what: `Add ${wordOf(ingredient)}`, select: ({ entries }) => entryAt(entries, kind, at)?.id },
  );
}

/** The one that follows it gets the selection. */
export function removeEntry(store: EditorStore, entry: Entry): void {
  store.edit(
    { type: "remove", list: ENTRY_LISTS[entry.kind], index: entry.index },
    { what: `Delete "${entryTitle(entry)}"` },
  );
}

/** A copy after it, under a free name or path; its title stays. */
export function duplicateEntry(store: EditorStore, entry: Entry): void {
  const { kind, index } = entry;
  const { entries } = store.state().outline;
  const select = (outline: { entries: readonly Entry[] }) => entryAt(outline.entries, kind, index + 1)?.id;
  const what = `Duplicate "${entryTitle(entry)}"`;
  if (kind === "lifecycle") {
    addEntry(store, "lifecycle", index + 1);
    return;
  }
  store.edit(
    { type: "duplicate", list: ENTRY_LISTS[kind], index, members: freeMembers(entry, entries) },
    { what, select },
  );
}

/** The entries at `from` go before the one that is at `to` now; `to` may be one past the last. */
export function moveEntries(store: EditorStore, kind: EntryKind, from: readonly number[], to: number): void {
  const { entries } = store.state().outline;
  const moved = new Set(from);
  const first = entryAt(entries, kind, from[0] ?? -1);
  const family = entries.filter((entry) => entry.kind === kind);
  const start = family.filter(({ index }) => index < to && !moved.has(index)).length;
  const stays = [...moved].sort((one, other) => one - other).every((index, nth) => index === start + nth);
  if (first === undefined || stays) return;
  const subject = from.length === 1 ? `"${entryTitle(first)}"` : `${from.length} entries`;
  const direction = start < Math.min(...from) ? "up" : "down";
  store.edit(
    { type: "move", list: ENTRY_LISTS[kind], from, to },
    {
      what: `Move ${subject} ${direction}`,
      select: from.length === 1 ? (outline) => entryAt(outline.entries, kind, start)?.id : undefined,
    },
  );
}

/** One place up or down; nothing happens at the end of the list. */
export function moveEntryBy(store: EditorStore, entry: Entry, by: -1 | 1): void {
  const last = store.state().outline.entries.filter(({ kind }) => kind === entry.kind).length - 1;
  const target = entry.index + by;
  if (target < 0 || target > last) {
    store.announce(`"${entryTitle(entry)}" is ${by < 0 ? "first" : "last"} already`);
    return;
  }
  moveEntries(store, entry.kind, [entry.index], by < 0 ? target : target + 1);
}

/** What people know it by: title, name, path or event; else its kind and place. Values may be of any type. */
export function entryTitle({ kind, index, value }: Pick<Entry, "kind" | "index" | "value">): string {
  const candidates = [getMember(value, "title"), getMember(value, "name"), getMember(value, "path"), value];
  const title = candidates.find((each) => typeof each === "string" && each.trim() !== "");
  return typeof title === "string"
    ? shorten(printable(title.trim()))
    : `${capital(wordOf(kind))} ${index + 1}`;
}

/** Names and paths must differ; what has neither, or has them of another type, is copied as it is. */
function freeMembers({ kind, value }: Entry, entries: readonly Entry[]): Record<string, unknown> {
  if (!isRecord(value)) return {};
  const name = getMember(value, "name");
  const path = getMember(value, "path");
  return {
    ...(typeof name === "string" && (kind === "setting" || kind === "mapping")
      ? { name: freeName(name, entries, kind) }
      : {}),
    ...(typeof path === "string" && kind !== "setting" && kind !== "mapping"
      ? { path: freePath(path, entries) }
      : {}),
  };
}

function entryAt(entries: readonly Entry[], kind: EntryKind, index: number): Entry | undefined {
  return entries.find((entry) => entry.kind === kind && entry.index === index);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** What users can do with entries; the list, its menus, the inspector and the commands share these. */
import {
  type Entry,
  ENTRY_LISTS,
  type EntryKind,
  freeName,
  freePath,
  type Ingredient,
  newEntry,
  toEntryKind,
} from "@/lib/domain/catalog/manifest/entry";
import { editManifest } from "@/lib/domain/catalog/manifest/outline-manifest";
import { getMember, isRecord } from "@/lib/domain/platform/json-text/json-value";
import type { EditorStore } from "./editor-store";
import { capitalize, nameEntry } from "./entry-labels";
import { countText, printable, shorten } from "./labels";

/** Adds and selects a new entry at `index` of its list, or at the end. */
export function addEntry(
  store: EditorStore,
  ingredient: Ingredient,
  index?: number,
  create: (entries: readonly Entry[]) => unknown = (entries) => newEntry(ingredient, entries),
): void {
  const { entries } = store.getState().outline;
  const kind = toEntryKind(ingredient);
  const value = create(entries);
  if (value === undefined) return store.announce("All lifecycle hooks are already added");
  const count = entries.filter((entry) => entry.kind === kind).length;
  const at = Math.min(index ?? count, count);
  store.edit(
    { type: "insert", list: ENTRY_LISTS[kind], index: at, value },
    { what: `Add ${nameEntry(ingredient)}`, select: ({ entries }) => entryAt(entries, kind, at)?.id },
  );
}

/** The store then selects the next entry. */
export function removeEntry(store: EditorStore, entry: Entry): void {
  store.edit(
    { type: "remove", list: ENTRY_LISTS[entry.kind], index: entry.index },
    { what: `Delete "${entryTitle(entry)}"` },
  );
}

/** Removes the entries of these hosts, except for optional ones, as one step. Returns how many there were. */
export function removeHosts(store: EditorStore, hosts: readonly string[]): number {
  const { outline } = store.getState();
  if (outline.blocked.length > 0) return 0;
  const isUnused = (host: unknown) => hosts.some((each) => each === host);
  const unused = outline.entries.filter(
    ({ kind, value }) =>
      kind === "host" && isUnused(getMember(value, "host")) && getMember(value, "optional") !== true,
  );
  // From the last one on, so that indexes stay.
  const smaller = unused
    .toReversed()
    .reduce(
      (left, { index }) => editManifest(left, { type: "remove", list: ENTRY_LISTS.host, index }),
      outline,
    );
  store.replaceText(smaller.text, { what: `Remove ${countText(unused.length, "unused host")}` });
  return unused.length;
}

/** Inserts a copy after the entry, with a free name or path and the same title. */
export function duplicateEntry(store: EditorStore, entry: Entry): void {
  const { kind, index } = entry;
  if (kind === "lifecycle") return addEntry(store, "lifecycle", index + 1);
  const { entries } = store.getState().outline;
  store.edit(
    { type: "duplicate", list: ENTRY_LISTS[kind], index, members: freeMembers(entry, entries) },
    {
      what: `Duplicate "${entryTitle(entry)}"`,
      select: (outline) => entryAt(outline.entries, kind, index + 1)?.id,
    },
  );
}

/** Moves the entries at `from` before the one that is now at `to`, which may be one past the last. */
export function moveEntries(store: EditorStore, kind: EntryKind, from: readonly number[], to: number): void {
  const { entries } = store.getState().outline;
  const moved = new Set(from);
  const first = entryAt(entries, kind, from[0] ?? -1);
  const start = entries.filter(
    (entry) => entry.kind === kind && entry.index < to && !moved.has(entry.index),
  ).length;
  const stays = [...moved].sort((one, other) => one - other).every((index, nth) => index === start + nth);
  if (first === undefined || stays) return;
  const subject = from.length === 1 ? `"${entryTitle(first)}"` : `${from.length} entries`;
  const direction = start < Math.min(...from) ? "up" : "down";
  const what = `Move ${subject} ${direction}`;
  const count = entries.filter((entry) => entry.kind === kind).length;
  store.edit(
    { type: "move", list: ENTRY_LISTS[kind], from, to },
    {
      what,
      spoken: `${what}: ${positionText(start + 1, from.length)} of ${count}`,
      select: from.length === 1 ? (outline) => entryAt(outline.entries, kind, start)?.id : undefined,
    },
  );
}

/** "position 2", "positions 2 to 4". */
function positionText(first: number, count: number): string {
  return count === 1 ? `position ${first}` : `positions ${first} to ${first + count - 1}`;
}

export function moveEntryBy(store: EditorStore, entry: Entry, by: -1 | 1): void {
  const last = store.getState().outline.entries.filter(({ kind }) => kind === entry.kind).length - 1;
  const target = entry.index + by;
  if (target < 0 || target > last)
    return store.announce(`"${entryTitle(entry)}" is already ${by < 0 ? "first" : "last"}`);
  moveEntries(store, entry.kind, [entry.index], by < 0 ? target : target + 1);
}

/** The title, name, path or event, or else the kind and number, since values may be of any type. */
export function entryTitle({ kind, index, value }: Pick<Entry, "kind" | "index" | "value">): string {
  const members = ["title", "name", "path", "host"].map((key) => getMember(value, key));
  const setting = getMember(value, "setting");
  const own = typeof setting === "string" ? `Host in ${setting}` : undefined;
  const title = [...members, own, value].find((each) => typeof each === "string" && each.trim() !== "");
  return typeof title === "string"
    ? shorten(printable(title.trim()), 80)
    : `${capitalize(nameEntry(kind))} ${index + 1}`;
}

export function findEntry(entries: readonly Entry[], id: string): Entry | undefined {
  return entries.find((entry) => entry.id === id);
}

/** Names and paths must be unique. Missing ones, and ones of another type, are copied as they are. */
function freeMembers({ kind, value }: Entry, entries: readonly Entry[]): Record<string, unknown> {
  if (!isRecord(value)) return {};
  // A copy of one of these is the same right again until somebody edits it.
  if (kind === "permission" || kind === "host") return {};
  const hasUniqueName = kind === "setting" || kind === "mapping";
  const member = hasUniqueName ? "name" : "path";
  const current = getMember(value, member);
  if (typeof current !== "string") return {};
  return { [member]: hasUniqueName ? freeName(current, entries, kind) : freePath(current, entries) };
}

function entryAt(entries: readonly Entry[], kind: EntryKind, index: number): Entry | undefined {
  return entries.find((entry) => entry.kind === kind && entry.index === index);
}

/** Edits an outlined manifest. Reads again only what the edit touches, so that keystrokes stay fast in a 1 MiB manifest. */
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { editText, editValueAt, type JsonEdit, orderAfterMove } from "../../platform/json-text/edit-text";
import { locateIssues, scanSource } from "../../platform/json-text/json-source";
import { getMember, isRecord, type Path, valueAt } from "../../platform/json-text/json-value";
import {
  type Entry,
  ENTRY_KINDS,
  ENTRY_LISTS,
  type EntryPosition,
  type Outline,
  readPositions,
} from "./entry";
import { isTooLarge, parseSource, wrongType } from "./parse-source";

/** Throws if the outline is blocked. Returns the same outline if nothing changes. */
export function editManifest(outline: Outline, edit: JsonEdit): Outline {
  if (outline.blocked.length > 0) throw new Error("this text can only be edited as text");
  return editEntry(outline, edit) ?? editAround(outline, edit);
}

/** An edit inside one entry: the others only shift. Undefined for other edits. */
function editEntry(outline: Outline, edit: JsonEdit): Outline | undefined {
  const path = editPath(edit);
  const entry = outline.entries.find((each) => isWithin(path, each.path));
  if (entry === undefined) return undefined;
  const rest = path.slice(entry.path.length);
  if (edit.type === "set" && rest.length === 0 && edit.value === undefined) return undefined;
  const end = entry.offset + entry.length;
  const text = editValueAt(outline.text, entry.offset, end, withPath(edit, rest));
  if (text === outline.text) return outline;
  const shift = text.length - outline.text.length;
  const source = text.slice(entry.offset, end + shift);
  const depth = scanSource(source).depth + ENTRY_LISTS[entry.kind].length + 1;
  if (isTooLarge(text) || depth > MANIFEST_LIMITS.depth) return outlineManifest(text, outline);
  const value: unknown = JSON.parse(source);
  const entries = outline.entries.map((each): Entry => {
    if (each === entry) return { ...entry, length: source.length, value };
    return each.offset > entry.offset ? withPosition(each, { ...each, offset: each.offset + shift }) : each;
  });
  return { ...outline, text, entriesText: text, entries };
}

/** An edit of a list, or of something outside the lists. */
function editAround(outline: Outline, edit: JsonEdit): Outline {
  const text = editText(outline.text, edit);
  if (text === outline.text) return outline;
  const earlier = entriesBefore(outline, edit);
  const isUnknown = earlier === undefined || isTooLarge(text);
  if (isUnknown || scanSource(text).depth > MANIFEST_LIMITS.depth) return outlineManifest(text, outline);
  const { positions, ...members } = readPositions(text);
  if (positions.length !== earlier.length) return outlineManifest(text, outline);
  let { nextId } = outline;
  const entries = positions.map((position, at): Entry => {
    const entry = earlier[at];
    if (entry !== undefined) return withPosition(entry, position);
    const value: unknown = JSON.parse(text.slice(position.offset, position.offset + position.length));
    return { ...position, id: `entry-${nextId++}`, value };
  });
  return { text, entriesText: text, entries, ...members, blocked: [], nextId };
}

/**
 * For each entry after the edit, the entry it was before; undefined for a new one. Returns undefined for edits that may
 * change the lists in any way.
 */
function entriesBefore(outline: Outline, edit: JsonEdit): (Entry | undefined)[] | undefined {
  const path = editPath(edit);
  const touched = edit.type === "assign" ? Object.keys(edit.members).map((key) => [...path, key]) : [path];
  const isList = edit.type !== "assign" && edit.type !== "set";
  const kind = ENTRY_KINDS.find((each) => isList && samePath(ENTRY_LISTS[each], path));
  if (kind === undefined) {
    const lists = Object.values(ENTRY_LISTS);
    const touchesList = touched.some((one) =>
      lists.some((list) => isWithin(one, list) || isWithin(list, one)),
    );
    return touchesList ? undefined : [...outline.entries];
  }
  return ENTRY_KINDS.flatMap((each) => {
    const family = outline.entries.filter((entry) => entry.kind === each);
    return each === kind ? familyAfter(family, edit) : family;
  });
}

function familyAfter(family: readonly Entry[], edit: JsonEdit): (Entry | undefined)[] {
  switch (edit.type) {
    case "insert":
      return [...family.slice(0, edit.index), undefined, ...family.slice(edit.index)];
    case "remove":
      return family.filter(({ index }) => index !== edit.index);
    case "duplicate":
      return [...family.slice(0, edit.index + 1), undefined, ...family.slice(edit.index + 1)];
    case "move":
      return orderAfterMove(family.length, edit.from, edit.to).map((index) => family[index]);
    default:
      return [...family];
  }
}

function editPath(edit: JsonEdit): Path {
  return edit.type === "set" || edit.type === "assign" ? edit.path : edit.list;
}

function withPath(edit: JsonEdit, path: Path): JsonEdit {
  return edit.type === "set" || edit.type === "assign" ? { ...edit, path } : { ...edit, list: path };
}

/** Whether `path` is at or below `around`. */
function isWithin(path: Path, around: Path): boolean {
  return around.every((part, at) => path[at] === part);
}

function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && isWithin(one, other);
}

// Reads a manifest's entries from its source text.

/** Limits the answer to a hostile text. */
const MOST_ISSUES = 300;

/** Per list, far more than a manifest may have. Outlining a hostile 1 MiB of 350,000 entries took 2 s. */
const MOST_ENTRIES = 10_000;

/** Entries that `previous` has too keep their ids. */
export function outlineManifest(text: string, previous?: Outline): Outline {
  const source = readEditable(text);
  if (source.blocked.length > 0) {
    return {
      text,
      entries: previous?.entries ?? [],
      entriesText: previous?.entriesText ?? "",
      name: previous?.name,
      version: previous?.version,
      configurationCheck: previous?.configurationCheck,
      listsHosts: previous?.listsHosts ?? false,
      listsPermissions: previous?.listsPermissions ?? false,
      blocked: source.blocked,
      nextId: previous?.nextId ?? 1,
    };
  }
  const { positions, ...members } = readPositions(text);
  const matched = matchEntries(text, source.value, positions, previous);
  return { text, ...matched, entriesText: text, ...members, blocked: [] };
}

/** Undefined if the text can only be edited as text. */
export function editableValue(text: string): unknown {
  return readEditable(text).value;
}

function readEditable(text: string): { value?: unknown; blocked: Issue[] } {
  const source = parseSource(text);
  const found = source.isJson
    ? [...source.issues.filter(({ code }) => code === "DUPLICATE_KEY"), ...structureIssues(source.value)]
    : source.issues;
  const blocked = locateIssues(text, found.slice(0, MOST_ISSUES));
  return blocked.length === 0 && source.isJson ? { value: source.value, blocked } : { blocked };
}

/** Objects and lists that must be there to read the entries, but are something else. */
function structureIssues(value: unknown): Issue[] {
  return [
    ...objectIssue(value, []),
    ...["app", "core"].flatMap((key) => objectIssue(getMember(value, key), [key])),
    ...ENTRY_KINDS.flatMap((kind): Issue[] => {
      const path = ENTRY_LISTS[kind];
      const list = valueAt(value, path);
      if (list === undefined) return [];
      if (!Array.isArray(list)) return [wrongType(path, "array", list)];
      if (list.length <= MOST_ENTRIES) return [];
      const message = `"${path[1]}" has more than ${MOST_ENTRIES} entries.`;
      const hint = "Remove most of them in the JSON text.";
      return [{ code: "TOO_LONG", pointer: pointerTo(...path), message, hint }];
    }),
  ];
}

function objectIssue(value: unknown, path: Path): Issue[] {
  return isRecord(value) || (value === undefined && path.length > 0)
    ? []
    : [wrongType(path, "object", value)];
}

// Matches the entries of a changed text with those of the text before.

interface Found extends EntryPosition {
  source: string;
  value: unknown;
}

/** Matches by source, then by name or path, then by index. An unchanged source keeps its value object too. */
function matchEntries(
  text: string,
  value: unknown,
  positions: readonly EntryPosition[],
  previous: Outline | undefined,
): Pick<Outline, "entries" | "nextId"> {
  const sourceIn = (of: string, { offset, length }: EntryPosition) => of.slice(offset, offset + length);
  const found = positions.map((position): Found => ({
    ...position,
    source: sourceIn(text, position),
    value: valueAt(value, position.path),
  }));
  const before = (previous?.entries ?? []).map((entry): Found => ({
    ...entry,
    source: sourceIn(previous?.entriesText ?? "", entry),
  }));
  const pairs = pairUp(found, before);
  let nextId = previous?.nextId ?? 1;
  const entries = found.map((now, at): Entry => {
    const { source, ...position } = now;
    const pair = pairs[at];
    const entry = pair === undefined ? undefined : previous?.entries[pair];
    if (pair === undefined || entry === undefined) return { ...position, id: `entry-${nextId++}` };
    return before[pair]?.source === source ? withPosition(entry, position) : { ...position, id: entry.id };
  });
  return { entries, nextId };
}

/** The entry at another position, with the same value. The same object if the position is the same. */
function withPosition(entry: Entry, position: EntryPosition): Entry {
  const { index, offset, length, path } = position;
  if (entry.index === index && entry.offset === offset && entry.length === length) return entry;
  return { ...entry, path: entry.index === index ? entry.path : path, index, offset, length };
}

/** For each entry, the index of its pair in `before`. Every step is linear: entries may have sources of 10 KB. */
function pairUp(found: readonly Found[], before: readonly Found[]): (number | undefined)[] {
  const pairs = new Array<number | undefined>(found.length).fill(undefined);
  const taken = new Set<number>();
  const pairBy = (toKey: (entry: Found) => string | undefined) => {
    const known = new Map<string, number[]>();
    for (let at = before.length - 1; at >= 0; at -= 1) {
      const entry = before[at];
      const key = entry === undefined || taken.has(at) ? undefined : toKey(entry);
      if (key === undefined) continue;
      const same = known.get(key);
      if (same === undefined) known.set(key, [at]);
      else same.push(at);
    }
    if (known.size === 0) return;
    found.forEach((entry, at) => {
      const key = pairs[at] === undefined ? toKey(entry) : undefined;
      const pair = key === undefined ? undefined : known.get(key)?.pop();
      if (pair === undefined) return;
      pairs[at] = pair;
      taken.add(pair);
    });
  };
  pairUnmoved(found, before, pairs, taken);
  pairBy(({ kind, source }) => `${kind} ${source}`);
  pairBy(({ kind, value }) => {
    const name = ["name", "path", "host", "setting"]
      .map((key) => getMember(value, key))
      .find((each) => each !== undefined);
    return typeof name === "string" ? `${kind} ${name}` : undefined;
  });
  pairBy(({ kind, index }) => `${kind} ${index}`);
  return pairs;
}

/** Pairs entries with the same source at the same index: most of them, at the cost of one comparison each. */
function pairUnmoved(
  found: readonly Found[],
  before: readonly Found[],
  pairs: (number | undefined)[],
  taken: Set<number>,
): void {
  const positionKey = ({ kind, index }: Found) => `${kind} ${index}`;
  const known = new Map(before.map((entry, at) => [positionKey(entry), at]));
  found.forEach((entry, at) => {
    const pair = known.get(positionKey(entry));
    if (pair === undefined || before[pair]?.source !== entry.source) return;
    pairs[at] = pair;
    taken.add(pair);
  });
}

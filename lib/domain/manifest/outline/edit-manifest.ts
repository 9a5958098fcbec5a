/** Edits an outlined manifest. Reads again only what the edit touches, so that keystrokes stay fast in a 1 MiB manifest. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";
import { editText, editValueAt, orderAfterMove, type JsonEdit } from "../../json-text/edit-text";
import { ENTRY_KINDS, ENTRY_LISTS, readPositions, type Entry, type Outline } from "./entry";
import type { Path } from "../../json-text/json-value";
import { withPosition } from "./match-entries";
import { outlineManifest } from "./outline-manifest";
import { isTooLarge } from "../check/parse-source";
import { scanSource } from "../../json-text/scan-source";

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

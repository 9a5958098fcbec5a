/** Edits of an outlined manifest. Only what an edit touches is read again, so that a keystroke costs little at the limit. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest";
import { editText, editValueAt, orderAfterMove, type ManifestEdit } from "./edit-text";
import { ENTRY_KINDS, LIST_OF, type Entry, type Outline } from "./entry";
import type { Path } from "./finding";
import { placedAt } from "./match-entries";
import { outlineManifest } from "./outline-manifest";
import { isTooLarge } from "./parse-source";
import { readPlaces } from "./read-places";
import { scanSource } from "./scan-source";

export { editText, type ManifestEdit } from "./edit-text";

/** Throws where the outline is blocked: such a text is edited as text. The same outline when nothing changes. */
export function editManifest(outline: Outline, edit: ManifestEdit): Outline {
  if (outline.blocked.length > 0) throw new Error("this text can only be edited as text");
  return editEntry(outline, edit) ?? editAround(outline, edit);
}

/** An edit within one entry: the others only shift. Undefined for other edits. */
function editEntry(outline: Outline, edit: ManifestEdit): Outline | undefined {
  const path = pathOf(edit);
  const entry = outline.entries.find((each) => isWithin(path, each.path));
  if (entry === undefined) return undefined;
  const rest = path.slice(entry.path.length);
  if (edit.type === "set" && rest.length === 0 && edit.value === undefined) return undefined;
  const end = entry.offset + entry.length;
  const text = editValueAt(outline.text, entry.offset, end, withPath(edit, rest));
  if (text === outline.text) return outline;
  const shift = text.length - outline.text.length;
  const source = text.slice(entry.offset, end + shift);
  const depth = scanSource(source).depth + LIST_OF[entry.kind].length + 1;
  if (isTooLarge(text) || depth > MANIFEST_LIMITS.depth) return outlineManifest(text, outline);
  const value: unknown = JSON.parse(source);
  const entries = outline.entries.map((each): Entry => {
    if (each === entry) return { ...entry, length: source.length, value };
    return each.offset > entry.offset ? placedAt(each, { ...each, offset: each.offset + shift }) : each;
  });
  return { ...outline, text, entriesText: text, entries };
}

/** An edit of a list, or of what is around the lists. */
function editAround(outline: Outline, edit: ManifestEdit): Outline {
  const text = editText(outline.text, edit);
  if (text === outline.text) return outline;
  const earlier = entriesBefore(outline, edit);
  const isUnknown = earlier === undefined || isTooLarge(text);
  if (isUnknown || scanSource(text).depth > MANIFEST_LIMITS.depth) return outlineManifest(text, outline);
  const { places, name, version } = readPlaces(text);
  if (places.length !== earlier.length) return outlineManifest(text, outline);
  let { nextId } = outline;
  const entries = places.map((place, at): Entry => {
    const entry = earlier[at];
    if (entry !== undefined) return placedAt(entry, place);
    const value: unknown = JSON.parse(text.slice(place.offset, place.offset + place.length));
    return { ...place, id: `entry-${nextId++}`, value };
  });
  return { text, entriesText: text, entries, name, version, blocked: [], nextId };
}

/**
 * What each entry after the edit was before: undefined for a new one. Undefined as a whole for edits that may do
 * anything to the lists.
 */
function entriesBefore(outline: Outline, edit: ManifestEdit): (Entry | undefined)[] | undefined {
  const path = pathOf(edit);
  const touched = edit.type === "assign" ? Object.keys(edit.members).map((key) => [...path, key]) : [path];
  const isList = edit.type !== "assign" && edit.type !== "set";
  const kind = ENTRY_KINDS.find((each) => isList && samePath(LIST_OF[each], path));
  if (kind === undefined) {
    const lists = Object.values(LIST_OF);
    const meets = touched.some((one) => lists.some((list) => isWithin(one, list) || isWithin(list, one)));
    return meets ? undefined : [...outline.entries];
  }
  return ENTRY_KINDS.flatMap((each) => {
    const family = outline.entries.filter((entry) => entry.kind === each);
    return each === kind ? familyAfter(family, edit) : family;
  });
}

function familyAfter(family: readonly Entry[], edit: ManifestEdit): (Entry | undefined)[] {
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

function pathOf(edit: ManifestEdit): Path {
  return edit.type === "set" || edit.type === "assign" ? edit.path : edit.list;
}

function withPath(edit: ManifestEdit, path: Path): ManifestEdit {
  return edit.type === "set" || edit.type === "assign" ? { ...edit, path } : { ...edit, list: path };
}

/** Is `path` at `around`, or in it? */
function isWithin(path: Path, around: Path): boolean {
  return around.every((part, at) => path[at] === part);
}

function samePath(one: Path, other: Path): boolean {
  return one.length === other.length && isWithin(one, other);
}

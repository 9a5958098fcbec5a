/** Where the entries of a manifest stand, and what it is called. */
import { ENTRY_KINDS, LIST_OF, type EntryKind } from "./entry";
import type { Path } from "./finding";
import { childAt, readContainer, skipSpace, type Wanted } from "./json-source";

export interface EntryPlace {
  kind: EntryKind;
  index: number;
  path: Path;
  offset: number;
  length: number;
}

export interface ManifestPlaces {
  /** In the order of an outline's entries. */
  places: EntryPlace[];
  /** As written; undefined where they are missing. */
  name: unknown;
  version: unknown;
}

const LISTS = Object.values(LIST_OF).reduce<Record<string, Wanted>>(
  (wanted, [parent, key]) => ({ ...wanted, [parent]: { ...wanted[parent], [key]: {} } }),
  {},
);

/** Of a text that is not blocked, in one pass over it. */
export function readPlaces(text: string): ManifestPlaces {
  const root = readContainer(text, skipSpace(text, 0), LISTS);
  const read = (key: string): unknown => {
    const member = childAt(root, key);
    return member === undefined ? undefined : JSON.parse(text.slice(member.start, member.end));
  };
  const places = ENTRY_KINDS.flatMap((kind) => {
    const [parent, key] = LIST_OF[kind];
    const list = childAt(childAt(root, parent)?.inside, key)?.inside;
    return (list?.children ?? []).map(({ start, end }, index) => ({
      kind,
      index,
      path: [...LIST_OF[kind], index],
      offset: start,
      length: end - start,
    }));
  });
  return { places, name: read("name"), version: read("version") };
}

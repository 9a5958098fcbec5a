/** What the visual editor shows and edits: a manifest's entries and their positions in the source text. */

import type { Issue } from "@/lib/contract/problem";
import type { Path } from "../../json-text/json-value";
import { childAt, readContainer, skipSpace, type Wanted } from "../../json-text/json-source";

export const ENTRY_KINDS = [
  "setting",
  "mapping",
  "webhook",
  "autofill",
  "rater",
  "endpoint",
  "lifecycle",
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The path of each kind's list. */
export const ENTRY_LISTS = {
  setting: ["app", "fields"],
  mapping: ["core", "fields"],
  webhook: ["core", "webhooks"],
  autofill: ["core", "autofill"],
  rater: ["core", "externalRaters"],
  endpoint: ["core", "endpoints"],
  lifecycle: ["core", "lifecycle"],
} as const satisfies Record<EntryKind, Path>;

export interface Entry {
  /** Stable through edits, moves and undo, as far as the entry can be recognized. */
  id: string;
  kind: EntryKind;
  /** Index in its list. */
  index: number;
  path: Path;
  /** Position of its source in the text. */
  offset: number;
  length: number;
  /** As written, of any type: a manifest may be wrong. The same object as long as the source is the same. */
  value: unknown;
}

export interface Outline {
  text: string;
  /** In the order of `ENTRY_KINDS`, then by index. While the text is `blocked`: the entries of the last text that was not. */
  entries: readonly Entry[];
  /** The text that `entries` was read from. */
  entriesText: string;
  /** As written. */
  name: unknown;
  version: unknown;
  /** `core.configurationCheck`. */
  configurationCheck: unknown;
  /** Why the text can only be edited as text: broken JSON, duplicate keys, or something else in place of a list. */
  blocked: readonly Issue[];
  nextId: number;
}

export interface EntryPosition {
  kind: EntryKind;
  index: number;
  path: Path;
  offset: number;
  length: number;
}

interface ManifestPositions {
  /** In the order of an outline's entries. */
  positions: EntryPosition[];
  /** As written; undefined if missing. */
  name: unknown;
  version: unknown;
  configurationCheck: unknown;
}

const LISTS = Object.values(ENTRY_LISTS).reduce<Record<string, Wanted>>(
  (wanted, [parent, key]) => ({ ...wanted, [parent]: { ...wanted[parent], [key]: {} } }),
  {},
);

/** Reads a text that is not blocked, in one pass. */
export function readPositions(text: string): ManifestPositions {
  const root = readContainer(text, skipSpace(text, 0), LISTS);
  const read = (key: string, container: typeof root | undefined = root): unknown => {
    const member = childAt(container, key);
    return member === undefined ? undefined : JSON.parse(text.slice(member.start, member.end));
  };
  const positions = ENTRY_KINDS.flatMap((kind) => {
    const [parent, key] = ENTRY_LISTS[kind];
    const list = childAt(childAt(root, parent)?.inside, key)?.inside;
    return (list?.children ?? []).map(({ start, end }, index) => ({
      kind,
      index,
      path: [...ENTRY_LISTS[kind], index],
      offset: start,
      length: end - start,
    }));
  });
  const core = childAt(root, "core")?.inside;
  const configurationCheck = core && read("configurationCheck", core);
  return { positions, name: read("name"), version: read("version"), configurationCheck };
}

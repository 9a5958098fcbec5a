/** What the visual editor shows and edits: a manifest's entries, and where each stands in the source text. */
import type { Issue } from "@/lib/contract/problem";
import type { Path } from "./finding";

export const ENTRY_KINDS = ["setting", "mapping", "webhook", "autofill", "rater", "lifecycle"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Where the entries of each kind are listed. */
export const LIST_OF = {
  setting: ["app", "fields"],
  mapping: ["core", "fields"],
  webhook: ["core", "webhooks"],
  autofill: ["core", "autofill"],
  rater: ["core", "externalRaters"],
  lifecycle: ["core", "lifecycle"],
} as const satisfies Record<EntryKind, Path>;

export interface Entry {
  /** The same through edits, moves and undo, as far as the entry can be recognised. */
  id: string;
  kind: EntryKind;
  /** Place in its list. */
  index: number;
  path: Path;
  /** Of its source in the text. */
  offset: number;
  length: number;
  /** As written: of any type, since a manifest may be wrong. The same object for as long as the source is the same. */
  value: unknown;
}

export interface Outline {
  text: string;
  /** By kind in the order of `ENTRY_KINDS`, then by place. While the text is `blocked`: those of the last text that was not. */
  entries: readonly Entry[];
  /** The text that `entries` was read from: an earlier one while `text` is blocked. */
  entriesText: string;
  /** As written. */
  name: unknown;
  version: unknown;
  /** What keeps the text from being edited but as text: broken JSON, keys that are there twice, lists that are none. */
  blocked: readonly Issue[];
  nextId: number;
}

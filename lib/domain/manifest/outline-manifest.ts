/** Reads a manifest's entries from its source text. */
import type { Issue } from "@/lib/contract/problem";
import type { Outline } from "./entry";
import { locate } from "./locate";
import { matchEntries } from "./match-entries";
import { parseSource } from "./parse-source";
import { readPlaces } from "./read-places";
import { structureFindings } from "./structure-findings";

export { ENTRY_KINDS, LIST_OF, type Entry, type EntryKind, type Outline } from "./entry";

/** A hostile text is blocked for no more reasons than this. */
const MOST_ISSUES = 300;

/** Entries that `previous` has too keep their ids; they are recognised by source, then by name, then by place. */
export function outlineManifest(text: string, previous?: Outline): Outline {
  const source = readEditable(text);
  if (source.blocked.length > 0) {
    return {
      text,
      entries: previous?.entries ?? [],
      entriesText: previous?.entriesText ?? "",
      name: previous?.name,
      version: previous?.version,
      blocked: source.blocked,
      nextId: previous?.nextId ?? 1,
    };
  }
  const { places, name, version } = readPlaces(text);
  const matched = matchEntries(text, source.value, places, previous);
  return { text, ...matched, entriesText: text, name, version, blocked: [] };
}

/** Undefined where a text can only be edited as text. */
export function editableValue(text: string): unknown {
  return readEditable(text).value;
}

function readEditable(text: string): { value?: unknown; blocked: Issue[] } {
  const source = parseSource(text);
  const findings = source.isJson
    ? [...source.findings.filter(({ code }) => code === "DUPLICATE_KEY"), ...structureFindings(source.value)]
    : source.findings;
  const blocked = locate(text, findings.slice(0, MOST_ISSUES));
  return blocked.length === 0 && source.isJson ? { value: source.value, blocked } : { blocked };
}

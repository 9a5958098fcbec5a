/** Reads a manifest's entries from its source text. */
import type { Issue } from "@/lib/contract/problem";
import { pointerTo } from "@/lib/contract/pointer";
import { getMember, isRecord, valueAt, type Path } from "../../json-text/json-value";
import { locateIssues } from "../../json-text/locate-issues";
import { parseSource } from "../check/parse-source";
import { wrongType } from "../check/shape-issues";
import { ENTRY_KINDS, ENTRY_LISTS, readPositions, type Outline } from "./entry";
import { matchEntries } from "./match-entries";

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

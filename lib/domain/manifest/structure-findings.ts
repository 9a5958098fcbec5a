import { memberOf, valueAt, type Finding, type Path } from "./finding";
import { ENTRY_KINDS, LIST_OF } from "./entry";
import { wrongType } from "./shape-findings";

/** Of one list: far more than a manifest may have. A hostile megabyte of 350,000 entries took 2 s to outline. */
const MOST_ENTRIES = 10_000;

/** What keeps a manifest's entries from being read: objects and lists that are there and are something else. */
export function structureFindings(value: unknown): Finding[] {
  return [
    ...objectFinding(value, []),
    ...["app", "core"].flatMap((key) => objectFinding(memberOf(value, key), [key])),
    ...ENTRY_KINDS.flatMap((kind): Finding[] => {
      const path = LIST_OF[kind];
      const list = valueAt(value, path);
      if (list === undefined) return [];
      if (!Array.isArray(list)) return [wrongType(path, "array", list)];
      return list.length > MOST_ENTRIES ? [tooMany(path)] : [];
    }),
  ];
}

function objectFinding(value: unknown, path: Path): Finding[] {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject || (value === undefined && path.length > 0) ? [] : [wrongType(path, "object", value)];
}

function tooMany(path: Path): Finding {
  const message = `"${String(path.at(-1))}" has more than ${MOST_ENTRIES} entries.`;
  return { code: "TOO_LONG", path, message, hint: "Remove most of them in the text." };
}

/** Entries of a value's lists with their paths, and which of them say the same twice. */
import type { ManifestCode } from "@/lib/contract/platform/issue-codes";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { isRecord, type Path, valueAt } from "../../platform/json-text/json-value";

interface Located {
  path: Path;
  value: unknown;
}

export interface LocatedRecord extends Located {
  value: Record<string, unknown>;
}

/** One issue for each text that an earlier item already has. `what`: such as "setting named". */
export function duplicates(items: readonly Located[], code: ManifestCode, what: string): Issue[] {
  const seen = new Set<string>();
  return items.flatMap(({ path, value }): Issue[] => {
    if (typeof value !== "string") return [];
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    const message = `There is already a ${what} "${value.slice(0, 80)}".`;
    return [{ code, pointer: pointerTo(...path), message, hint: "Rename or remove one of them." }];
  });
}

export function listMembers(records: readonly LocatedRecord[], key: string): Located[] {
  return records.map(({ path, value }) => ({ path: [...path, key], value: value[key] }));
}

export function listItems(list: unknown, path: Path): Located[] {
  return Array.isArray(list) ? list.map((value: unknown, index) => ({ path: [...path, index], value })) : [];
}

/** The objects in the list at `path`, or none if there is no list. `prefix`: where `value` itself is in the manifest. */
export function recordsAt(value: unknown, path: Path, prefix: Path = []): LocatedRecord[] {
  const list = valueAt(value, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) =>
    isRecord(item) ? [{ path: [...prefix, ...path, index], value: item }] : [],
  );
}

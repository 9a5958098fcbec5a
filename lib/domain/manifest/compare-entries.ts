/** What differs in one entry of a manifest. */
import { changedKeys, detailOf, shorten, type MemberDetail } from "./compare-members";
import { compareValues } from "./compare-values";
import { isRecord, memberOf } from "./finding";
import type { EntryKind } from "./entry";
import { sameValue } from "./same-value";

/** Members that the code in the image was built on. All others are read by people, or by nobody. */
const BUILT_ON: Record<EntryKind, ReadonlySet<string>> = {
  setting: new Set(["name", "type", "required", "sensitive"]),
  mapping: new Set(["name", "required"]),
  webhook: new Set(["path", "events"]),
  autofill: new Set(["path", "operations"]),
  rater: new Set(["path"]),
  lifecycle: new Set(),
};

export function entryDetails(kind: EntryKind, before: unknown, after: unknown) {
  const details: MemberDetail[] = [];
  if (sameValue(before, after)) return { details, builtOn: false };
  let builtOn = false;
  const isEntry = isRecord(before) || isRecord(after);
  // An entry that should be a record and is none is compared whole.
  if (!isEntry && kind !== "lifecycle") return { details: [detailOf("entry", before, after)], builtOn: true };
  for (const key of changedKeys(before, after)) {
    const [one, other] = [memberOf(before, key), memberOf(after, key)];
    if (kind === "setting" && key === "values") {
      const values = compareValues(one, other);
      details.push(...values.details);
      builtOn ||= values.changesStored;
    } else {
      details.push(detailOf(key, one, other));
      builtOn ||= BUILT_ON[kind].has(key);
    }
  }
  return { details, builtOn };
}

export function titleOf(kind: EntryKind, value: unknown): string | undefined {
  const title = memberOf(value, kind === "rater" ? "name" : "title");
  return typeof title === "string" && title.trim() !== "" ? shorten(title) : undefined;
}

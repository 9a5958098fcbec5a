/** The members in which two records differ, as short text. */
import { isRecord, memberOf } from "./finding";
import { sameValue } from "./same-value";

export interface MemberDetail {
  member: string;
  before: string | undefined;
  after: string | undefined;
}

const LONGEST = 160;

/** Left out, these mean `false`. */
const OFF_BY_DEFAULT = new Set(["required", "sensitive"]);

/** Keys that differ, in the order of `after`, then those that are gone. */
export function changedKeys(before: unknown, after: unknown): string[] {
  const keys = new Set([...keysOf(after), ...keysOf(before)]);
  return [...keys].filter((key) => {
    const [one, other] = [memberOf(before, key), memberOf(after, key)];
    if (OFF_BY_DEFAULT.has(key)) return !sameValue(one ?? false, other ?? false);
    return !sameValue(one, other);
  });
}

export function detailOf(member: string, before: unknown, after: unknown): MemberDetail {
  return { member, before: shortText(before), after: shortText(after) };
}

/** One side of a detail in a word, also when there is nothing on that side. */
export function valueWord(member: string, side: string | undefined): string {
  if (side === undefined) return OFF_BY_DEFAULT.has(member) ? "no" : "none";
  return side === "" ? "empty" : side;
}

/** Undefined for what is absent. */
export function shortText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const texts = Array.isArray(value) && value.every((item) => typeof item === "string");
  return shorten(texts ? value.join(", ") : wordOf(value));
}

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function wordOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return JSON.stringify(value);
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

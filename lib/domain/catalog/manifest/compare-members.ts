/** The members in which two records differ, as short text. */
import { DEFAULT_PORTS } from "@/lib/contract/platform/manifest-terms";
import { getMember, isRecord, sameValue } from "../../platform/json-text/json-value";

export interface MemberDetail {
  member: string;
  before: string | undefined;
  after: string | undefined;
}

const LONGEST = 160;

/** What an absent member means. */
const DEFAULTS = new Map<string, unknown>([
  ["required", false],
  ["sensitive", false],
  ["format", "jsonpath"],
  ["configurationCheck", false],
  ["ports", DEFAULT_PORTS],
  ["optional", false],
]);

/** Keys that differ, in the order of `after`; removed keys last. */
export function changedKeys(before: unknown, after: unknown): string[] {
  const keys = new Set([...listKeys(after), ...listKeys(before)]);
  return [...keys].filter((key) => {
    const [one, other] = [getMember(before, key), getMember(after, key)];
    const absent = DEFAULTS.get(key);
    return !sameValue(one ?? absent, other ?? absent);
  });
}

export function toDetail(member: string, before: unknown, after: unknown): MemberDetail {
  return { member, before: shortText(before), after: shortText(after) };
}

/** One side of a detail as text, even if it is absent. */
export function detailText(member: string, side: string | undefined): string {
  if (side === undefined) return shortText(DEFAULTS.get(member)) ?? "none";
  return side === "" ? "empty" : side;
}

/** Undefined if absent. */
export function shortText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const isList =
    Array.isArray(value) && value.every((item) => typeof item === "string" || typeof item === "number");
  return shorten(isList ? value.join(", ") : toWord(value));
}

export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function toWord(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return JSON.stringify(value);
}

function listKeys(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

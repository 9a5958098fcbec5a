/** Which problem belongs to which entry, and to which member of it. */
import type { Issue } from "@/lib/contract/problem";
import { pointerTo } from "@/lib/contract/pointer";
import { APP, type EditorState } from "../../model/editor-store";

export interface EntryIssue {
  issue: Issue;
  /** A JSON pointer within the entry: `/values/3/text`, or nothing for the entry itself. */
  place: string;
}

export const NO_ISSUES: readonly EntryIssue[] = [];

/** By the issues themselves: they are found a moment after the text changed, and then belong to the entries of that moment. */
const cache = new WeakMap<readonly Issue[], ReadonlyMap<string, readonly EntryIssue[]>>();

/** By entry id; what belongs to no entry is the app's. */
export function issuesByEntry({ issues, outline }: Pick<EditorState, "issues" | "outline">) {
  const known = cache.get(issues);
  if (known !== undefined) return known;
  const ids = new Map(outline.entries.map(({ id, path }) => [pointerTo(...path), id]));
  const found = new Map<string, EntryIssue[]>();
  for (const issue of issues) {
    const base = /^\/[^/]*\/[^/]*\/[^/]*/.exec(issue.pointer)?.[0] ?? "";
    const id = ids.get(base);
    const list = found.get(id ?? APP) ?? [];
    list.push({ issue, place: placeOf(issue, id === undefined ? "" : base) });
    found.set(id ?? APP, list);
  }
  cache.set(issues, found);
  return found;
}

/** A Text that looks like a secret is mended where secrets are marked. */
function placeOf({ code, pointer }: Issue, base: string): string {
  return code === "LOOKS_SECRET" ? "/sensitive" : pointer.slice(base.length);
}

/** Those of a member, and of what is in it. */
export function issuesAt(issues: readonly EntryIssue[], place: string): readonly EntryIssue[] {
  return issues.filter((issue) => issue.place === place || issue.place.startsWith(`${place}/`));
}

/** "Names must start with a letter. Use a value such as …" */
export function sentencesOf(issues: readonly EntryIssue[]): string | undefined {
  if (issues.length === 0) return undefined;
  return issues.map(({ issue }) => [issue.message, issue.hint].filter(Boolean).join(" ")).join(" ");
}

export function isError({ issue }: EntryIssue): boolean {
  return issue.severity !== "warning";
}

/** Assigns issues to entries and their members. */
import { pointerTo } from "@/lib/contract/pointer";
import { isError as isErrorIssue, type Issue } from "@/lib/contract/problem";
import { APP, type EditorState } from "../../model/editor-store";
import { useEditor } from "../../model/use-editor";

export interface EntryIssue {
  issue: Issue;
  /** The JSON pointer within the entry, such as `/values/3/text`; empty for the entry itself. */
  pointer: string;
}

const NO_ISSUES: readonly EntryIssue[] = [];

/** Keyed by the issues, because they belong to the entries at the time they were found. */
const cache = new WeakMap<readonly Issue[], ReadonlyMap<string, readonly EntryIssue[]>>();

/** By entry id. Issues outside of entries belong to the app. */
export function issuesByEntry({ issues, outline }: Pick<EditorState, "issues" | "outline">) {
  const cached = cache.get(issues);
  if (cached !== undefined) return cached;
  const ids = new Map(outline.entries.map(({ id, path }) => [pointerTo(...path), id]));
  const found = new Map<string, EntryIssue[]>();
  for (const issue of issues) {
    const base = /^\/[^/]*\/[^/]*\/[^/]*/.exec(issue.pointer)?.[0] ?? "";
    const id = ids.get(base);
    const list = found.get(id ?? APP) ?? [];
    // A Text that looks like a secret is fixed by marking it as sensitive.
    const pointer =
      issue.code === "LOOKS_SECRET" ? "/sensitive" : issue.pointer.slice(id === undefined ? 0 : base.length);
    list.push({ issue, pointer });
    found.set(id ?? APP, list);
  }
  cache.set(issues, found);
  return found;
}

export function useEntryIssues(id: string): readonly EntryIssue[] {
  return useEditor((state) => issuesByEntry(state).get(id) ?? NO_ISSUES);
}

/** The issues of a member and of what it contains. */
export function issuesAt(issues: readonly EntryIssue[], pointer: string): readonly EntryIssue[] {
  return issues.filter((issue) => issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`));
}

/** "Names must start with a letter. Use a value such as …" */
export function issueText(issues: readonly EntryIssue[]): string | undefined {
  if (issues.length === 0) return undefined;
  return issues.flatMap(({ issue: { message, hint } }) => (hint ? [message, hint] : [message])).join(" ");
}

export function isError({ issue }: EntryIssue): boolean {
  return isErrorIssue(issue);
}

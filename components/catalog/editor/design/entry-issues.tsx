"use client";

/** Assigns issues to entries and their members. */
import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { isError as isErrorIssue, type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { APP, type EditorState, useEditor, useEditorStore } from "../model/editor-store";
import { findEntry } from "../model/entry-actions";
import { formatValue } from "../model/labels";

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

/** A field's `error`, and its `hint` with warnings. */
export function getNotes(issues: readonly EntryIssue[], pointer: string, hint?: ReactNode) {
  const own = issuesAt(issues, pointer);
  const warning = issueText(own.filter((issue) => !isError(issue)));
  return {
    error: issueText(own.filter(isError)),
    hint:
      warning === undefined ? (
        hint
      ) : (
        <>
          {hint}
          <span className="mt-1 flex items-start gap-1.5 text-warning">
            <TriangleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
            <span>{warning}</span>
          </span>
        </>
      ),
  };
}

/** Issues that belong to no single field. */
export function IssueLines({ issues }: { issues: readonly EntryIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-small leading-5">
      {issues.map((issue, index) => {
        const Icon = isError(issue) ? CircleAlert : TriangleAlert;
        return (
          <li
            key={index}
            className={`flex items-start gap-1.5 ${isError(issue) ? "text-danger" : "text-warning"}`}
          >
            <Icon aria-hidden className="mt-0.75 size-3.5 shrink-0" />
            <span className="min-w-0 break-words">{issueText([issue])}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface UnsupportedValueProps {
  id: string;
  /** Within the entry; empty for the entry itself. */
  pointer: string;
  label: string;
  value: unknown;
  issues: readonly EntryIssue[];
}

/** A value of a type that no field can show. It is kept, and can be fixed as text. */
export function UnsupportedValue({ id, pointer, label, value, issues }: UnsupportedValueProps) {
  const openInJson = useOpenInJson();
  return (
    <div data-member={pointer === "" ? undefined : pointer} className="flex flex-col items-start gap-1.5">
      <span className="text-small font-medium text-ink">{label}</span>
      <code
        translate="no"
        className="max-h-40 w-full overflow-auto rounded-field border border-line bg-subtle px-3 py-2 font-mono text-small leading-5 wrap-anywhere text-ink-soft"
      >
        {typeof value === "string" ? JSON.stringify(formatValue(value)) : formatValue(value)}
      </code>
      <IssueLines issues={issuesAt(issues, pointer)} />
      <Button size="small" onPress={() => openInJson(id, pointer)}>
        Fix in JSON
      </Button>
    </div>
  );
}

/** Returns a function that opens the JSON tab at a value. */
export function useOpenInJson() {
  const store = useEditorStore();
  return (id: string, pointer: string) => {
    const { outline, issues } = store.getState();
    const entry = id === APP ? undefined : findEntry(outline.entries, id);
    const target = pointerTo(...(entry?.path ?? [])) + pointer;
    const lines = outline.text.slice(0, entry?.offset ?? 0).split("\n");
    const start = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    const { line, column } = issues.find((issue) => issue.pointer === target) ?? start;
    store.openTab("json");
    store.jumpTo({ pointer: target, line, column });
  };
}

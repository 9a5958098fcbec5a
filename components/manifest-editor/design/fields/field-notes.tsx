"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { pointerTo } from "@/lib/contract/pointer";
import { APP } from "../../model/editor-store";
import { findEntry } from "../../model/entry-actions";
import { formatValue } from "../../model/labels";
import { useEditorStore } from "../../model/use-editor";
import { isError, issuesAt, issueText, type EntryIssue } from "../desk/entry-issues";

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
    <ul className="flex flex-col gap-1 text-[13px] leading-5">
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
      <span className="text-[13px] font-medium text-ink">{label}</span>
      <code className="max-h-40 w-full overflow-auto rounded-field border border-line bg-subtle px-3 py-2 font-mono text-[13px] leading-5 break-all text-ink-soft">
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

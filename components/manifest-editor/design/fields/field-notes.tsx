"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { type EntryIssue, isError, issuesAt, sentencesOf } from "../desk/entry-issues";
import { Button } from "@/components/ui/button";
import { pointerTo } from "@/lib/contract/pointer";
import { APP } from "../../model/editor-store";
import { useEditorStore } from "../../model/use-editor";
import { findEntry } from "./entry-form";
import { shortText } from "../list/entry-texts";

/** What a field says below itself: `error` for what keeps it from being published, the hint and warnings for the rest. */
export function notesOf(issues: readonly EntryIssue[], place: string, hint?: ReactNode) {
  const own = issuesAt(issues, place);
  const warning = sentencesOf(own.filter((issue) => !isError(issue)));
  return {
    error: sentencesOf(own.filter(isError)),
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

/** Problems that have no field of their own to stand at. */
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
            <span className="min-w-0 break-words">{sentencesOf([issue])}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface OddMemberProps {
  id: string;
  /** Within the entry; nothing for the entry itself. */
  place: string;
  label: string;
  value: unknown;
  issues: readonly EntryIssue[];
}

/** What is written is of a type that no field can show: it stays as it is, and is mended as text. */
export function OddMember({ id, place, label, value, issues }: OddMemberProps) {
  const goToText = useGoToText();
  return (
    <div data-member={place === "" ? undefined : place} className="flex flex-col items-start gap-1.5">
      <span className="text-[13px] font-medium text-ink">{label}</span>
      <code className="max-h-40 w-full overflow-auto rounded-field border border-line bg-subtle px-3 py-2 font-mono text-[13px] leading-5 break-all text-ink-soft">
        {typeof value === "string" ? JSON.stringify(shortText(value)) : shortText(value)}
      </code>
      <IssueLines issues={issues} />
      <Button size="small" onPress={() => goToText(id, place)}>
        Mend it in the JSON tab
      </Button>
    </div>
  );
}

/** Opens the JSON tab where this is written. */
export function useGoToText() {
  const store = useEditorStore();
  return (id: string, place: string) => {
    const { outline, issues } = store.state();
    const entry = id === APP ? undefined : findEntry(outline.entries, id);
    const pointer = pointerTo(...(entry?.path ?? [])) + place;
    const lines = outline.text.slice(0, entry?.offset ?? 0).split("\n");
    const start = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    const { line, column } = issues.find((issue) => issue.pointer === pointer) ?? start;
    store.openTab("json");
    store.jumpTo({ code: "WRONG_TYPE", message: "", pointer, line, column });
  };
}

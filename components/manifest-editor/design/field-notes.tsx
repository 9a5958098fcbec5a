"use client";

import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { isError, issuesAt, sentencesOf, type EntryIssue } from "./entry-issues";

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

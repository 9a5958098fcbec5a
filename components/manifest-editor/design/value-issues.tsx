"use client";

import { IssueLines } from "./field-notes";
import type { EntryIssue } from "./entry-issues";

const MOST_SHOWN = 5;

/** Problems of the values, each with its row: "Row 3: The value "eu" is offered twice." */
export function ValueIssues({ issues }: { issues: readonly EntryIssue[] }) {
  const more = issues.length - MOST_SHOWN;
  return (
    <>
      <IssueLines issues={issues.slice(0, MOST_SHOWN).map(withRow)} />
      {more > 0 && <p className="text-[13px] leading-5 text-ink-faint">and {more} more</p>}
    </>
  );
}

function withRow({ issue, place }: EntryIssue): EntryIssue {
  const row = /^\/values\/(\d+)/.exec(place)?.[1];
  if (row === undefined) return { issue, place };
  return { issue: { ...issue, message: `Row ${Number(row) + 1}: ${issue.message}` }, place };
}

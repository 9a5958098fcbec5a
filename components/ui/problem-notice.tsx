"use client";

import type { ReactNode } from "react";
import { toProblemBody } from "@/lib/client/api";
import { LearnMore, Notice } from "./notice";

interface ProblemNoticeProps {
  error: unknown;
  /** What helps. */
  actions?: ReactNode;
  className?: string;
}

/** Shows the error of a mutation: its message, then each issue with its pointer. Nothing without an error. */
export function ProblemNotice({ error, actions, className }: ProblemNoticeProps) {
  if (error === undefined || error === null) return null;
  const { code, title, detail, issues: all = [] } = toProblemBody(error);
  const issues = all.filter((issue) => issue.message !== detail);
  // The entry of the issue says more than that of the problem.
  const [only] = all.length === 1 ? all : [];
  return (
    <Notice tone="danger" title={title} actions={actions} className={className}>
      <p>
        {detail} <LearnMore code={only?.code ?? code} />
      </p>
      {code === "NOT_SIGNED_IN" && (
        <p className="mt-1">
          Your input is kept.{" "}
          <a href="/sign-in" target="_blank" rel="noopener" className="font-medium text-ink underline">
            Sign in in another tab
          </a>
          , then try again.
        </p>
      )}
      {issues.length > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-4">
          {issues.map((issue, index) => (
            <li key={index}>
              {issue.pointer !== "" && (
                <code translate="no" className="mr-1 font-mono text-xs">
                  {issue.pointer}
                </code>
              )}
              {issue.message} {all.length > 1 && <LearnMore code={issue.code} />}
              {issue.hint !== undefined && <span className="block text-ink-faint">{issue.hint}</span>}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

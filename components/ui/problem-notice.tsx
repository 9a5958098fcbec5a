"use client";

import { toProblemBody } from "@/lib/client/api";
import { Notice } from "./notice";

/** Draws what a mutation threw: the sentence, then each issue with its place. Nothing when there is no error. */
export function ProblemNotice({ error, className }: { error: unknown; className?: string }) {
  if (error === undefined || error === null) return null;
  const { code, title, detail, issues: all = [] } = toProblemBody(error);
  const issues = all.filter((issue) => issue.message !== detail);
  return (
    <Notice tone="danger" title={title} className={className}>
      <p>{detail}</p>
      {code === "NOT_SIGNED_IN" && (
        <p className="mt-1">
          What you entered stays here:{" "}
          <a href="/sign-in" target="_blank" rel="noopener" className="font-medium text-ink underline">
            sign in in another tab
          </a>
          , then try again.
        </p>
      )}
      {issues.length > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-4">
          {issues.map((issue, index) => (
            <li key={index}>
              {issue.pointer !== "" && <code className="mr-1 font-mono text-xs">{issue.pointer}</code>}
              {issue.message}
              {issue.hint !== undefined && <span className="block text-ink-faint">{issue.hint}</span>}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

"use client";

import { problemBodyOf } from "@/lib/client/api";
import { Notice } from "./notice";

/** Draws what a mutation threw: the sentence, then each issue with its place. Nothing when there is no error. */
export function ProblemNotice({ error, className }: { error: unknown; className?: string }) {
  if (error === undefined || error === null) return null;
  const { title, detail, issues: all = [] } = problemBodyOf(error);
  const issues = all.filter((issue) => issue.message !== detail);
  return (
    <Notice tone="danger" title={title} className={className}>
      <p>{detail}</p>
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

import { Notice } from "@/components/ui/notice";
import type { Issue } from "@/lib/contract/problem";

/** What keeps a step from being left; each problem also stands at its field. */
export function IssueSummary({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <Notice
      tone="danger"
      title={issues.length === 1 ? "One thing is missing" : `${issues.length} things are missing`}
    >
      <ul className="list-disc pl-4">
        {issues.map((issue) => (
          <li key={issue.pointer}>{issue.message}</li>
        ))}
      </ul>
    </Notice>
  );
}

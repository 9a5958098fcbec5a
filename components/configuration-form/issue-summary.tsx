import { Notice } from "@/components/ui/notice";
import type { Issue } from "@/lib/contract/problem";

const SHOWN = 10;

/** The issues that keep a form from being sent. Each is also shown at its field. */
export function IssueSummary({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  const rest = issues.length - SHOWN;
  return (
    <Notice
      tone="danger"
      title={issues.length === 1 ? "Fix 1 problem to continue" : `Fix ${issues.length} problems to continue`}
    >
      <ul className="list-disc pl-4">
        {issues.slice(0, SHOWN).map((issue) => (
          <li key={`${issue.code} ${issue.pointer}`}>{issue.message}</li>
        ))}
        {rest > 0 && <li>And {rest} more.</li>}
      </ul>
    </Notice>
  );
}

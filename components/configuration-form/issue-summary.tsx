import { Notice } from "@/components/ui/notice";
import type { Issue } from "@/lib/contract/problem";

const SHOWN = 10;

/** What keeps a step from being left; each problem also stands at its field. */
export function IssueSummary({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  const rest = issues.length - SHOWN;
  return (
    <Notice
      tone="danger"
      title={issues.length === 1 ? "Mend one thing to go on" : `Mend ${issues.length} things to go on`}
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

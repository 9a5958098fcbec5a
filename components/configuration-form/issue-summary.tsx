import { Notice } from "@/components/ui/notice";
import type { Issue } from "@/lib/contract/problem";
import { isFoundByApp } from "@/lib/domain/configuration-check";

const SHOWN = 10;

/** The issues that keep a form from being sent, or those that the app found, which don't. Each is also shown at its field. */
export function IssueSummary({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  const rest = issues.length - SHOWN;
  const problems = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  const isByApp = issues.every(isFoundByApp);
  return (
    <Notice
      tone={isByApp ? "warning" : "danger"}
      title={isByApp ? `The app found ${problems}` : `Fix ${problems} to continue`}
    >
      <ul className="list-disc pl-4">
        {issues.slice(0, SHOWN).map((issue, index) => (
          <li key={`${issue.code} ${issue.pointer} ${index}`}>{issue.message}</li>
        ))}
        {rest > 0 && <li>And {rest} more.</li>}
      </ul>
    </Notice>
  );
}

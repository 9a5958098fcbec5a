import { UserText } from "@/components/ui/user-text";
import type { Issue } from "@/lib/contract/problem";

interface IssueListProps {
  issues: readonly Issue<string>[];
  /** The path of the manifest. Only its name is shown. */
  file: string;
  className?: string;
}

/** Where each problem is, what it is, and how to fix it. */
export function IssueList({ issues, file, className = "" }: IssueListProps) {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  return (
    <ul className={`flex flex-col gap-2 ${className}`}>
      {issues.map(({ code, pointer, message, hint, line, column }, index) => (
        <li key={`${code} ${pointer} ${index}`} className="min-w-0 text-[13px] leading-5">
          <code className="font-mono text-xs wrap-anywhere text-ink-faint">
            {line === undefined ? name : `${name}:${line}:${column ?? 1}`} {code}
          </code>
          <UserText className="block wrap-anywhere text-ink">{message}</UserText>
          {hint !== undefined && <UserText className="block wrap-anywhere text-ink-faint">{hint}</UserText>}
        </li>
      ))}
    </ul>
  );
}

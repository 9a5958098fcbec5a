import { UserText } from "@/components/ui/user-text";
import type { Issue } from "@/lib/contract/problem";

const SHOWN = 3;

interface PayloadNotesProps {
  issues: readonly Issue[];
  /** The text is not JSON, so that it can't be sent. */
  isBroken: boolean;
  /** The user tried to send it. */
  wasRefused: boolean;
}

/** Errors and hints about a payload. It can be sent despite hints. */
export function PayloadNotes({ issues, isBroken, wasRefused }: PayloadNotesProps) {
  if (issues.length === 0) return null;
  const more = issues.length - SHOWN;
  return (
    <div
      role={wasRefused ? "alert" : "status"}
      className={`text-[13px] leading-5 ${isBroken ? "text-danger" : "text-warning"}`}
    >
      {wasRefused && <p className="font-medium">Not sent: this is not valid JSON.</p>}
      <ul>
        {issues.slice(0, SHOWN).map(({ message, line, column, hint }) => (
          <li key={`${line}:${column} ${message}`} className="wrap-anywhere">
            Line {line}: <UserText>{hint === undefined ? message : `${message} ${hint}`}</UserText>
          </li>
        ))}
      </ul>
      {more > 0 && <p>And {more} more.</p>}
      {!isBroken && <p className="text-ink-faint">You can send it anyway.</p>}
    </div>
  );
}

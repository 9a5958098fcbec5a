"use client";

import { Card } from "@/components/ui/card";
import { LogTail } from "@/components/ui/log-tail";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { UserText } from "@/components/ui/user-text";
import type { CallLog, CallView } from "@/lib/contract/call-view";
import { useCallLog } from "./use-call";

/** What the app wrote to its log during the call. */
export function LogCard({ call }: { call: CallView }) {
  const { error } = useCallLog(call);
  return (
    <Card
      title="Log"
      description="What the app wrote from one second before the call to one second after it, including for other calls. Only your organization can see it."
    >
      {error !== null && <ProblemNotice error={error} />}
      <LogLines log={call.log} isOpen={call.durationMs === null} />
    </Card>
  );
}

function LogLines({ log, isOpen }: { log: CallLog; isOpen: boolean }) {
  if (isOpen) return <p className="text-ink-soft">The log is read once the call has ended.</p>;
  switch (log.state) {
    case "hidden":
      return null;
    case "unread":
    case "waiting":
      return (
        <div role="status" aria-label="Reading the log">
          <Skeleton className="h-16 w-full" />
        </div>
      );
    case "read":
      return log.text === "" ? (
        <p className="text-ink-soft">The app wrote nothing to its log during this call.</p>
      ) : (
        <>
          {log.cut && (
            <p className="mb-2 text-[13px] text-ink-faint">These are the last lines of a longer log.</p>
          )}
          <pre
            role="region"
            aria-label="Log of this call"
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-field border border-line bg-subtle px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap text-ink"
          >
            <UserText>{log.text}</UserText>
          </pre>
        </>
      );
    case "gone":
      return (
        <>
          <p className="text-ink-soft">
            The log from this time is no longer available
            {log.tail === null
              ? "."
              : ". The instance that answered has ended, and the end of its log was kept."}
          </p>
          {log.tail !== null && <LogTail log={log.tail} />}
        </>
      );
  }
}

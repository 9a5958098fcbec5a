"use client";

import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { InstallationView } from "@/lib/contract/installation-view";
import { Outcome } from "@/components/call/outcome";
import { targetWithoutQuery, useNewestCalls } from "./attempts";
import { PendingNotice } from "./pending-notice";

const SHOWN = 6;

/** The newest calls at a glance. */
export function RecentCallsCard({ installation }: { installation: InstallationView }) {
  const { data, error } = useNewestCalls(installation.id);
  return (
    <Card
      title="Recent calls"
      actions={
        <LinkButton size="small" href={`/installations/${installation.id}/calls`}>
          All calls
        </LinkButton>
      }
      flush
    >
      {data?.pending !== undefined && (
        <PendingNotice pending={data.pending} installation={installation} className="mx-4 mb-4 sm:mx-6" />
      )}
      {data === undefined && error === null && (
        <div className="px-4 pb-4 sm:px-6">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
      {error !== null && <ProblemNotice error={error} className="mx-4 mb-4 sm:mx-6" />}
      {data !== undefined && data.attempts.length === 0 && (
        <p className="px-4 pb-5 text-ink-soft sm:px-6">No calls yet.</p>
      )}
      {data !== undefined && data.attempts.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {data.attempts.slice(0, SHOWN).map((attempt) => (
            <li key={attempt.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 sm:px-6">
              <span className="min-w-0 basis-full truncate font-mono text-[13px] sm:flex-1 sm:basis-0">
                <TextLink href={`/calls/${attempt.id}`}>{targetWithoutQuery(attempt.target)}</TextLink>
              </span>
              <Outcome attempt={attempt} />
              <RelativeTime
                at={attempt.startedAt}
                className="ml-auto text-right text-[13px] text-ink-faint sm:ml-0 sm:w-24"
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

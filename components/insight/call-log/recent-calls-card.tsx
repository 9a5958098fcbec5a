"use client";

import { useQuery } from "@tanstack/react-query";
import { Card, Skeleton } from "@/components/ui/card";
import { LinkButton, TextLink } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import { Outcome, splitTarget } from "./describe-call";
import { type Live, PendingNotice } from "./describe-delivery";

const SHOWN = 6;
const REFRESH_MS = 5_000;

/** The newest calls at a glance. */
export function RecentCallsCard({ installation }: { installation: Live & { id: string } }) {
  const { data, error } = useQuery({
    queryKey: ["calls", "recent", installation.id],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/calls?installation=${installation.id}`, {
        answer: async () => (await import("@/lib/contract/insight/call")).callPage,
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
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
      {data !== undefined && data.calls.length === 0 && (
        <p className="px-4 pb-5 text-ink-soft sm:px-6">No calls yet.</p>
      )}
      {data !== undefined && data.calls.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {data.calls.slice(0, SHOWN).map((call) => (
            <li key={call.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 sm:px-6">
              <span
                translate="no"
                className="-m-1 min-w-0 basis-full truncate p-1 font-mono text-small sm:flex-1 sm:basis-0"
              >
                <TextLink href={`/calls/${call.id}`}>{nameTarget(call.target)}</TextLink>
              </span>
              <Outcome attempt={call} />
              <RelativeTime
                at={call.at}
                className="ml-auto text-right text-small text-ink-faint sm:ml-0 sm:w-24"
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function nameTarget(target: string): string {
  const { method, path } = splitTarget(target);
  return `${method} ${path}`;
}

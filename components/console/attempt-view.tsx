"use client";

import type { ReactNode } from "react";
import { Outcome } from "@/components/call/outcome";
import { Badge } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { AttemptDetail, InstallationView } from "@/lib/contract/installation-view";
import { isSettled, useAttempt } from "./attempts";
import { describeWait } from "@/components/call/delivery-labels";
import { prettyPrint } from "./sample-payload";
import { describeStateRead } from "./state-read";

/** One call in three parts: the request, the state that the app read, and its response. */
export function AttemptView({
  installation,
  attemptId,
}: {
  installation: InstallationView;
  attemptId: string;
}) {
  const { data: attempt, error, dataUpdatedAt } = useAttempt(installation.id, attemptId);
  if (error !== null) return <ProblemNotice error={error} />;
  if (attempt === undefined) return <Skeleton className="h-40 w-full" />;
  const wait = describeWait(attempt);
  return (
    <ol className="flex flex-col gap-5" aria-label={`Call ${attempt.target}`}>
      <Part
        title="Request"
        aside={
          <span className="flex items-center gap-2">
            {attempt.test && <Badge tone="warning">Test</Badge>}
            <RelativeTime at={attempt.startedAt} className="text-[13px] text-ink-faint" />
          </span>
        }
      >
        {wait !== undefined && <p className="mb-2 text-[13px] leading-5 text-ink-soft">{wait}.</p>}
        <p className="mb-2 font-mono text-[13px] break-all">
          <TextLink href={`/calls/${attempt.id}`}>{attempt.target}</TextLink>
        </p>
        {attempt.payload !== null && (
          <CodeBlock label="request" code={prettyPrint(attempt.payload)} maxHeight={240} />
        )}
        {!attempt.recorded && attempt.payloadBytes !== null && (
          <NotRecorded attempt={attempt} bytes={attempt.payloadBytes} />
        )}
      </Part>
      <Part title="State read">
        <StateRead installation={installation} attempt={attempt} readAt={dataUpdatedAt} />
      </Part>
      <Part title="Response" aside={<Outcome attempt={attempt} />}>
        {attempt.failure !== null && (
          <Notice tone="danger" title="The call failed" className="mb-3">
            {attempt.failure}
          </Notice>
        )}
        {attempt.answer !== null && attempt.answer !== "" && (
          <CodeBlock label="response" code={prettyPrint(attempt.answer)} />
        )}
        {!attempt.recorded && attempt.answerBytes !== null && attempt.answerBytes > 0 && (
          <NotRecorded attempt={attempt} bytes={attempt.answerBytes} />
        )}
        {attempt.answerBytes === 0 && <p className="text-ink-soft">The response has an empty body.</p>}
        {attempt.durationMs === null && <p className="text-ink-soft">The app hasn&apos;t responded yet.</p>}
      </Part>
    </ol>
  );
}

/** Bodies of endpoints are streamed and never recorded, so there is nothing to turn on for them. */
function NotRecorded({ attempt, bytes }: { attempt: AttemptDetail; bytes: number }) {
  return (
    <p className="text-[13px] leading-5 text-ink-soft">
      The body was not recorded ({bytes.toLocaleString("en-US")} {bytes === 1 ? "byte" : "bytes"}).{" "}
      {attempt.kind !== "endpoint" && (
        <>
          An owner can turn recording on in <TextLink href="/organization/settings">Settings</TextLink>.
        </>
      )}
    </p>
  );
}

function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <li className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-[13px] font-medium text-ink">{title}</h3>
        {aside}
      </div>
      {children}
    </li>
  );
}

interface StateReadProps {
  installation: InstallationView;
  attempt: AttemptDetail;
  /** Milliseconds. */
  readAt: number;
}

/** Names only: the values are in the state record, which only the app gets. */
function StateRead({ installation, attempt, readAt }: StateReadProps) {
  const { settings, revision: current } = installation.configuration;
  const { times, what, revision } = describeStateRead(attempt, current, isSettled(attempt, readAt));
  if (what === undefined) return <p className="text-ink-soft">{times}</p>;
  const names = settings.filter((setting) => setting.configured).map((setting) => setting.name);
  return (
    <div className="rounded-field border border-line px-4 py-3">
      <p className="text-ink">{times}</p>
      <p className="mt-1 text-[13px] leading-5 text-ink-soft">
        {what}{" "}
        {revision === "earlier" && (
          <TextLink href={`/installations/${installation.id}/history`}>See what changed since</TextLink>
        )}
      </p>
      {revision === "current" && names.length > 0 && (
        <ul aria-label="Settings in the state" className="mt-2 flex flex-wrap gap-1.5">
          {names.map((name) => (
            <li key={name} className="max-w-full min-w-0">
              <Badge>{name}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

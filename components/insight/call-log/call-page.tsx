"use client";

import { Link as LinkIcon, RotateCcw, Terminal } from "lucide-react";
import { useIsAway } from "@/components/platform/availability";
import { Badge } from "@/components/ui/badge";
import { Card, Skeleton } from "@/components/ui/card";
import { CopyTextButton } from "@/components/ui/code-block";
import { FactList } from "@/components/ui/fact-list";
import { LinkButton, TextLink } from "@/components/ui/links";
import { PageHeader } from "@/components/ui/page-header";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { LogTail, ShortId } from "@/components/ui/technical-text";
import { UserText } from "@/components/ui/values";
import { ZoneName } from "@/components/ui/zone";
import type { CallLog, CallView } from "@/lib/contract/insight/call";
import type { Role } from "@/lib/contract/platform/role";
import { nameTest } from "@/lib/domain/calls/installation";
import { toCurlCommand } from "@/lib/domain/insight/call-text";
import { CallBodies } from "./call-bodies";
import { linkToConsole, nameCall, wholePayload } from "./call-text";
import { CallTimeline, LatencyBar } from "./call-timeline";
import { DeliveryBadge, DeliveryCard } from "./delivery-card";
import { Outcome } from "./describe-call";
import { useCall, useCallLog } from "./use-call";

interface CallPageProps {
  initial: CallView;
  role: Role;
}

/** Everything about one call. It refreshes itself while it can still change. */
export function CallPage({ initial, role }: CallPageProps) {
  const { data: call = initial, error, dataUpdatedAt } = useCall(initial.id, initial);
  return (
    <>
      <PageHeader
        title={<UserText>{nameCall(call)}</UserText>}
        description={<Description call={call} />}
        back={{ href: `/installations/${call.installation.id}/calls`, text: "Calls" }}
        badges={
          <>
            <Outcome attempt={call} />
            {call.test && <Badge tone="warning">Test</Badge>}
          </>
        }
        actions={<Actions call={call} role={role} />}
      />
      {error !== null && <ProblemNotice error={error} className="mb-6" />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Timeline">
            <CallTimeline call={call} now={dataUpdatedAt} />
            <p className="mt-4 text-small leading-5 text-ink-faint">
              Times are in <ZoneName at={call.startedAt} />.
            </p>
            <StateSettings call={call} />
          </Card>
          <CallBodies call={call} />
          {call.log.state !== "hidden" && <LogCard call={call} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Latency">
            <LatencyBar call={call} />
          </Card>
          <Card title="Trace" description="The ID of this call in the traces of the core and the app.">
            <FactList
              rows={[{ key: "trace", name: "ID", value: <ShortId value={call.traceId} label="trace ID" /> }]}
            />
          </Card>
          <DeliveryCard call={call} role={role} />
          <EventCard call={call} />
        </div>
      </div>
    </>
  );
}

function Description({ call: { installation, startedAt } }: { call: CallView }) {
  const kind = nameTest(installation);
  return (
    <>
      <TextLink href={`/installations/${installation.id}`}>
        <UserText>{installation.title}</UserText>
      </TextLink>{" "}
      for {installation.tenantName}
      {kind !== undefined && `, a ${kind === "Trial" ? "trial" : kind}`}, <RelativeTime at={startedAt} />
    </>
  );
}

function Actions({ call, role }: { call: CallView; role: Role }) {
  const console = linkToConsole(call, role);
  const { address } = call;
  return (
    <>
      <CopyTextButton icon={LinkIcon} create={() => new URL(`/calls/${call.id}`, location.href).href}>
        Copy link
      </CopyTextButton>
      {address !== null && (
        <CopyTextButton
          icon={Terminal}
          create={() => toCurlCommand({ address, payload: wholePayload(call)?.text })}
        >
          Copy as curl
        </CopyTextButton>
      )}
      {console !== undefined && (
        <LinkButton size="small" href={console}>
          <RotateCcw aria-hidden className="size-4" />
          Edit and send again
        </LinkButton>
      )}
    </>
  );
}

/** Names only: the values are in the state record, which only the app gets. */
function StateSettings({ call }: { call: CallView }) {
  const { stateReads, stateRevision, stateSettings, installation } = call;
  if (stateReads === 0) return null;
  return (
    <div className="mt-4 border-t border-line pt-4 text-small leading-5 text-ink-soft">
      {stateSettings.length > 0 && (
        <>
          <p>Settings in the state that it read</p>
          <ul aria-label="Settings in the state" className="mt-1.5 flex flex-wrap gap-1.5">
            {stateSettings.map((name) => (
              <li key={name} translate="no" className="max-w-full min-w-0">
                <Badge>{name}</Badge>
              </li>
            ))}
          </ul>
        </>
      )}
      {stateRevision !== null && stateRevision < installation.revision && (
        <p className="mt-2">
          <TextLink href={`/installations/${installation.id}/history`}>See what changed since</TextLink>
        </p>
      )}
    </div>
  );
}

/** What the app wrote to its log during the call. */
function LogCard({ call }: { call: CallView }) {
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
  const isWorkerAway = useIsAway("worker");
  if (isOpen) return <p className="text-ink-soft">The log is read once the call has ended.</p>;
  switch (log.state) {
    case "hidden":
      return null;
    case "unread":
    case "waiting":
      if (isWorkerAway)
        return (
          <p className="text-ink-soft">
            The platform&apos;s worker is unavailable. It reads the log when it is back.
          </p>
        );
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
            <p className="mb-2 text-small text-ink-faint">These are the last lines of a longer log.</p>
          )}
          <pre
            translate="no"
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

function TestBadge(installation: { test: boolean; trial: boolean }) {
  const kind = nameTest(installation);
  return kind === undefined ? null : <Badge tone="warning">{kind}</Badge>;
}

/** The event that a call delivers, and every installation of the organization that gets it. */
function EventCard({ call: { id, event } }: { call: Pick<CallView, "id" | "event"> }) {
  if (event === null) return null;
  return (
    <Card title="Event" actions={event.test ? <Badge tone="warning">Test</Badge> : undefined}>
      <FactList
        rows={[
          {
            key: "type",
            name: "Type",
            value: (
              <code translate="no" className="font-mono text-small">
                {event.type}
              </code>
            ),
          },
          { key: "core", name: "ID", value: <ShortId value={event.coreId} label="event ID" /> },
          { key: "id", name: "webhook-id", value: <ShortId value={event.id} label="webhook-id" /> },
          { key: "at", name: "Received", value: <RelativeTime at={event.receivedAt} /> },
        ]}
      />
      <h3 className="mt-5 text-small font-medium text-ink">
        Sent to {event.deliveriesInAll} {event.deliveriesInAll === 1 ? "route" : "routes"}
      </h3>
      <ul aria-label="Deliveries of this event" className="mt-2 divide-y divide-line border-y border-line">
        {event.deliveries.map(({ id: key, title, path, state, attemptId, ...tests }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2">
            {attemptId === null || attemptId === id ? (
              <UserText className="wrap-anywhere text-ink">{title}</UserText>
            ) : (
              <TextLink href={`/calls/${attemptId}`}>
                <UserText>{title}</UserText>
              </TextLink>
            )}
            <code translate="no" className="font-mono text-xs wrap-anywhere text-ink-faint">
              {path}
            </code>
            <TestBadge {...tests} />
            <span className="ml-auto">
              <DeliveryBadge state={state} />
            </span>
          </li>
        ))}
      </ul>
      {event.deliveriesInAll > event.deliveries.length && (
        <p className="mt-3 text-small leading-5 text-ink-faint">
          The first {event.deliveries.length} are listed.{" "}
          <TextLink href={`/calls?${new URLSearchParams({ event: event.type })}`}>
            All calls of this type
          </TextLink>
        </p>
      )}
    </Card>
  );
}

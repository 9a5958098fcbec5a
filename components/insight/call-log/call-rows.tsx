"use client";

import { ArrowLeftRight, Gauge, type LucideIcon, RefreshCw, TextCursorInput, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/forms/toggles";
import { PageLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Selection } from "@/components/ui/forms/selection";
import { UserText } from "@/components/ui/values";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { CallRow } from "@/lib/contract/insight/call";
import { nameTest } from "@/lib/domain/calls/installation";
import { formatLatency } from "../charts/metrics";
import {
  describeOutcome,
  latencyShare,
  type OutcomeLabel,
  ROUTE_KIND_LABELS,
  splitTarget,
} from "./describe-call";
import { describeWait } from "./describe-delivery";

const KIND_ICONS: Record<RouteKind, LucideIcon> = {
  webhook: Webhook,
  autofill: TextCursorInput,
  rater: Gauge,
  lifecycle: RefreshCw,
  endpoint: ArrowLeftRight,
};

const DOTS: Record<OutcomeLabel["tone"], string> = {
  open: "bg-accent-text motion-safe:animate-pulse",
  success: "bg-success",
  warning: "bg-warning",
  danger: "bg-danger",
};

const TEXTS: Record<OutcomeLabel["tone"], string> = {
  open: "text-accent-text",
  success: "text-ink",
  warning: "text-warning",
  danger: "text-danger",
};

/** A row of a table; on phones, the call and its time above how it went, and where. */
const GRID = "call-cells";

interface CallRowsProps {
  calls: readonly CallRow[];
  /** In the calls of one installation, app and tenant are not named. */
  showsInstallation: boolean;
  /** Rows can be selected, to replay them. */
  selection?: Selection;
}

/** A dense table on wide screens, stacked rows on phones. A row is a link to its call. */
export function CallRows({ calls, showsInstallation, selection }: CallRowsProps) {
  return (
    <>
      <KindIcons calls={calls} />
      <div
        aria-hidden
        className={`hidden border-b border-line bg-subtle px-6 py-2 text-xs font-medium text-ink-faint md:grid ${GRID} ${selection === undefined ? "" : "md:pl-15"}`}
      >
        <span>Status</span>
        <span>Call</span>
        <span>{showsInstallation ? "App" : "Event"}</span>
        <span>Latency</span>
        <span className="text-right">Time</span>
      </div>
      <ul aria-label="Calls" className="divide-y divide-line">
        {calls.map((call) => (
          <Row key={call.id} call={call} showsInstallation={showsInstallation} selection={selection} />
        ))}
      </ul>
    </>
  );
}

/** The icons that the rows use: each is in the page once, and not in every row. */
function KindIcons({ calls }: Pick<CallRowsProps, "calls">) {
  return (
    <svg aria-hidden className="hidden">
      {[...new Set(calls.map(({ kind }) => kind))].map((kind) => {
        const Icon = KIND_ICONS[kind];
        return (
          <symbol key={kind} id={`call-${kind}`} viewBox="0 0 24 24">
            <Icon />
          </symbol>
        );
      })}
    </svg>
  );
}

interface RowProps extends Pick<CallRowsProps, "showsInstallation" | "selection"> {
  call: CallRow;
}

function Row({ call, showsInstallation, selection }: RowProps) {
  const { method, path } = splitTarget(call.target);
  const wait = describeWait({ dueAt: call.dueAt, heldBy: call.heldBy, startedAt: call.at });
  return (
    <li className="call-row">
      {selection !== undefined && (
        <span className="relative z-10 pt-0.5 md:pt-0">
          <Checkbox
            value={selection.ids.has(call.id)}
            onChange={(isSelected) => selection.toggle(call.id, isSelected)}
          >
            <span className="sr-only">Select {call.eventType ?? call.target}</span>
          </Checkbox>
        </span>
      )}
      <div className={`min-w-0 flex-1 ${GRID}`}>
        <div className="max-md:[grid-area:status]">
          <Status call={call} />
        </div>
        <div className="min-w-0 max-md:[grid-area:call]">
          <Target attemptId={call.attemptId}>
            <svg aria-hidden className="size-3.5 shrink-0 text-ink-faint">
              <use href={`#call-${call.kind}`} />
            </svg>
            <span className="sr-only">{ROUTE_KIND_LABELS[call.kind]}: </span>
            <span translate="no" className="min-w-0 truncate font-mono text-small text-ink">
              <span className="text-ink-faint">{method}</span> <UserText>{path}</UserText>
            </span>
            {call.test && <Badge tone="warning">Test</Badge>}
          </Target>
          <Details call={call} wait={wait} showsEvent={showsInstallation} />
        </div>
        <div className="min-w-0 text-small leading-5 max-md:flex max-md:gap-2 max-md:[grid-area:app]">
          {showsInstallation ? <Installation call={call} /> : <Event call={call} />}
        </div>
        <Latency ms={call.durationMs} />
        <RelativeTime
          at={call.at}
          className="text-right text-small leading-5 whitespace-nowrap text-ink-faint max-md:[grid-area:time]"
        />
      </div>
    </li>
  );
}

/** The link covers its row. A delivery that was never sent has no page. */
function Target({ attemptId, children }: { attemptId: string | null; children: ReactNode }) {
  // On a phone with large text, what doesn't fit beside the time goes below.
  const style = "flex min-w-0 items-center gap-2 max-[20rem]:flex-wrap";
  if (attemptId === null) return <span className={style}>{children}</span>;
  return (
    <PageLink href={`/calls/${attemptId}`} className={`${style} outline-none after:absolute after:inset-0`}>
      {children}
    </PageLink>
  );
}

function Status({ call }: { call: CallRow }) {
  const { tone, text, detail, nextAt } = describeOutcome(call);
  return (
    <span className="block text-small leading-5 whitespace-nowrap md:whitespace-normal">
      <span className={`inline-flex items-center gap-2 font-medium tabular-nums ${TEXTS[tone]}`}>
        <span aria-hidden className={`size-2 shrink-0 rounded-full ${DOTS[tone]}`} />
        {text}
      </span>
      {detail !== undefined && (
        <span className="ml-2 text-xs text-ink-faint md:ml-0 md:block">
          {detail} {nextAt !== undefined && <RelativeTime at={nextAt} />}
        </span>
      )}
    </span>
  );
}

function Details({
  call,
  wait,
  showsEvent,
}: {
  call: CallRow;
  wait: string | undefined;
  showsEvent: boolean;
}) {
  const parts = [showsEvent ? call.eventType : null, call.failure, wait].filter(
    (part) => part !== null && part !== undefined,
  );
  if (parts.length === 0) return null;
  return (
    <p className="mt-0.5 line-clamp-2 text-xs leading-5 wrap-anywhere text-ink-faint">
      {parts.map((part, index) => (
        <span key={part}>
          {index > 0 && " · "}
          <UserText>{part}</UserText>
        </span>
      ))}
    </p>
  );
}

function Installation({ call: { installation } }: { call: CallRow }) {
  const kind = nameTest(installation);
  return (
    <>
      <span className="block truncate text-ink-soft">
        <UserText>{installation.title}</UserText>
      </span>
      <span className="block truncate text-xs leading-5 text-ink-faint">
        {installation.tenant}
        {kind !== undefined && ` · ${kind}`}
      </span>
    </>
  );
}

function Event({ call: { eventType } }: { call: CallRow }) {
  return eventType === null ? null : (
    <span className="block truncate text-ink-soft">
      <UserText>{eventType}</UserText>
    </span>
  );
}

function Latency({ ms }: { ms: number | null }) {
  if (ms === null) return <span className="max-md:hidden" />;
  return (
    <span className="flex items-center gap-2 text-small leading-5 text-ink-soft tabular-nums max-md:justify-end max-md:[grid-area:latency]">
      <span className="whitespace-nowrap md:w-12">{formatLatency(ms)}</span>
      <span aria-hidden className="hidden h-1 w-10 overflow-hidden rounded-full bg-hover md:block">
        <span
          className="block h-full rounded-full bg-line-strong"
          style={{ width: `${latencyShare(ms) * 100}%` }}
        />
      </span>
    </span>
  );
}

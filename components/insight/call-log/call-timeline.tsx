import { Check, CircleDashed, type LucideIcon, Minus, TriangleAlert, X } from "lucide-react";
import { LearnMore } from "@/components/ui/notice";
import { TimeOfDay } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { CallView } from "@/lib/contract/insight/call";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { formatMs, type LatencyPart, splitLatency } from "@/lib/domain/insight/call-text";
import { assembleTimeline, type TimelineEntry } from "@/lib/domain/insight/call-timeline";

const TONES: Record<TimelineEntry["tone"], { icon: LucideIcon; color: string; text: string }> = {
  neutral: { icon: Minus, color: "border-line bg-subtle text-ink-soft", text: "Done" },
  success: {
    icon: Check,
    color: "border-success-line bg-success-soft text-success",
    text: "Succeeded",
  },
  warning: {
    icon: TriangleAlert,
    color: "border-warning-line bg-warning-soft text-warning",
    text: "Needs attention",
  },
  danger: { icon: X, color: "border-danger-line bg-danger-soft text-danger", text: "Failed" },
  open: { icon: CircleDashed, color: "border-line bg-surface text-ink-faint", text: "In progress" },
};

/** What happened, step by step. `now` in milliseconds. */
export function CallTimeline({ call, now }: { call: CallView; now: number }) {
  const entries = assembleTimeline(call, now);
  const failed = entries.find(({ tone }) => tone === "danger");
  return (
    <ol aria-label="Timeline">
      {entries.map((entry, index) => (
        <Entry
          key={entry.step}
          entry={entry}
          fault={entry === failed ? call.fault : null}
          isLast={index === entries.length - 1}
        />
      ))}
    </ol>
  );
}

interface EntryProps {
  entry: TimelineEntry;
  /** Why the call failed, at the step that failed. */
  fault: AppFault | null;
  isLast: boolean;
}

function Entry({ entry: { tone, title, details, at }, fault, isLast }: EntryProps) {
  const { icon: Icon, color, text } = TONES[tone];
  return (
    <li className="relative flex gap-3 pb-5 last:pb-0">
      {!isLast && <span aria-hidden className="absolute top-7 bottom-1 left-3 w-px bg-line" />}
      <span className={`flex size-6 shrink-0 items-center justify-center rounded-full border ${color}`}>
        <Icon aria-hidden className="size-3.5" />
        <span className="sr-only">{text}:</span>
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className="min-w-0 wrap-anywhere text-ink">{title}</p>
          {at !== null && <TimeOfDay at={at} className="text-xs" />}
        </div>
        {details.map((detail) => (
          <p key={detail} className="mt-0.5 text-small leading-5 wrap-anywhere text-ink-soft">
            <UserText>{detail}</UserText>
          </p>
        ))}
        {fault !== null && <LearnMore code={fault} />}
      </div>
    </li>
  );
}

const PARTS: Record<LatencyPart["part"], { text: string; color: string }> = {
  queue: { text: "Queue", color: "bg-warning" },
  platform: { text: "Platform", color: "bg-line-strong" },
  app: { text: "App", color: "bg-accent" },
};

/** Where the time of a call went: in proportion, and in numbers. */
export function LatencyBar({ call }: { call: Pick<CallView, "queueMs" | "platformMs" | "durationMs"> }) {
  const parts = splitLatency(call);
  if (call.durationMs === null) return <p className="text-ink-soft">The call is in progress.</p>;
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-subtle">
        {parts.map(({ part, ms }) => (
          <span
            key={part}
            style={{ flexGrow: total === 0 ? 1 : ms }}
            className={`${PARTS[part].color} ${ms > 0 ? "min-w-1" : "hidden"}`}
          />
        ))}
      </div>
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-small">
        {parts.map(({ part, ms }) => (
          <div key={part} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-ink-soft">
              <span aria-hidden className={`size-2 rounded-full ${PARTS[part].color}`} />
              {PARTS[part].text}
            </dt>
            <dd className="text-ink tabular-nums">{formatMs(ms)}</dd>
          </div>
        ))}
        {parts.length > 1 && (
          <div className="flex items-center gap-1.5">
            <dt className="text-ink-soft">Total</dt>
            <dd className="text-ink tabular-nums">{formatMs(total)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

import type { CallView } from "@/lib/contract/call-view";
import { formatMs, splitLatency, type LatencyPart } from "@/lib/domain/call-times";

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
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-[13px]">
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

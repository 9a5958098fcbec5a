import { timeOfDay } from "@/components/app-log/moments";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";
import { Badge, type Tone } from "@/components/ui/badge";
import type { DevCall } from "@/cli/dev/contract/calls";

/** One call in one line: how it ended, what it was, and for whom. */
export function CallLine({ call }: { call: DevCall }) {
  const { kind, request, name, customerName, startedAt, ms, sender } = call;
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-[13px] leading-5">
      <CallBadge call={call} />
      <span className="min-w-0 font-medium wrap-anywhere text-ink">
        {ROUTE_KIND_LABELS[kind]} <span className="font-mono font-normal">{request.path}</span>
      </span>
      {name !== null && kind !== "lifecycle" && (
        <span className="font-mono text-xs wrap-anywhere text-ink-soft">{name}</span>
      )}
      <span className="wrap-anywhere text-ink-soft">{customerName}</span>
      <span className="ml-auto flex gap-3 text-xs text-ink-faint tabular-nums">
        {sender !== "console" && <span>{SENDERS[sender]}</span>}
        {ms !== null && <span>{Math.round(ms)} ms</span>}
        <time dateTime={startedAt}>{timeOfDay(startedAt).slice(0, 8)}</time>
      </span>
    </span>
  );
}

const SENDERS: Record<DevCall["sender"], string> = {
  console: "Console",
  terminal: "Terminal",
  drill: "Drill",
  platform: "Platform",
};

function CallBadge({ call: { done, failure, issues, response } }: { call: DevCall }) {
  const tone: Tone = !done
    ? "neutral"
    : failure !== null
      ? "danger"
      : issues.length > 0
        ? "warning"
        : "success";
  return <Badge tone={tone}>{response?.status ?? (done ? "No response" : "In progress")}</Badge>;
}

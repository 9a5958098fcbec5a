import { Badge } from "@/components/ui/badge";
import type { AttemptSummary } from "@/lib/contract/call-summary";

/** How a call ended, and how long the app took. */
export function Outcome({
  attempt: { durationMs, failure, status },
}: {
  attempt: Pick<AttemptSummary, "durationMs" | "failure" | "status">;
}) {
  const isOpen = durationMs === null;
  const tone = isOpen ? "neutral" : failure === null ? "success" : "danger";
  return (
    <span className="flex items-center gap-2">
      <Badge tone={tone}>{status ?? (isOpen ? "In progress" : "No response")}</Badge>
      {!isOpen && <span className="text-[13px] text-ink-faint tabular-nums">{durationMs} ms</span>}
    </span>
  );
}

import { Badge } from "@/components/ui/badge";
import type { AttemptSummary } from "@/lib/contract/calls/call-summary";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { CallRow } from "@/lib/contract/insight/call";

export const ROUTE_KIND_LABELS: Record<RouteKind, string> = {
  webhook: "Webhook",
  autofill: "Autofill",
  rater: "External rater",
  lifecycle: "Lifecycle",
  endpoint: "Endpoint",
};

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
      {!isOpen && <span className="text-small text-ink-faint tabular-nums">{durationMs} ms</span>}
    </span>
  );
}

// How a row of the log reads: the call's result, and how long it took. Pure.

export interface OutcomeLabel {
  tone: "open" | "success" | "warning" | "danger";
  /** The status code, or words if there is none. */
  text: string;
  /** The delivery's state since then, or why the attempt failed. */
  detail?: string;
  /** When it is to be retried, ISO 8601. */
  nextAt?: string;
}

export function describeOutcome({ attemptId, durationMs, status, failure, delivery }: CallRow): OutcomeLabel {
  if (attemptId === null) return { tone: "open", text: "Waiting" };
  if (durationMs === null) return { tone: "open", text: "In progress" };
  const text = status === null ? "No response" : String(status);
  if (failure === null) return { tone: "success", text };
  switch (delivery?.state) {
    case "DEAD":
      return { tone: "danger", text, detail: `Dead after ${countAttempts(delivery.attemptCount)}` };
    case "PENDING":
      return { tone: "warning", text, detail: "Retry due", nextAt: delivery.nextAttemptAt };
    case "DELIVERED":
      return { tone: "warning", text, detail: "Delivered later" };
    case "ENDED":
      return { tone: "danger", text, detail: "Subscription ended" };
    case undefined:
      return { tone: "danger", text };
  }
}

function countAttempts(count: number): string {
  return count === 1 ? "1 attempt" : `${count} attempts`;
}

const SHORTEST_MS = 1;
const LONGEST_MS = 30_000;

/** The length of a latency's bar, from 0 to 1: logarithmic, because latencies span four orders of magnitude. */
export function latencyShare(ms: number): number {
  const share = Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / Math.log(LONGEST_MS / SHORTEST_MS);
  return Math.min(1, Math.max(0.04, share));
}

/** `POST` and `/autofill`, without a query. */
export function splitTarget(target: string): { method: string; path: string } {
  const [method = "", ...rest] = target.split(" ");
  return { method, path: rest.join(" ").split("?")[0] ?? "" };
}

/** Where the time of a call went, and how long things took, in words. Pure. */
import type { CallView } from "@/lib/contract/call-view";
import type { DeliveryHold } from "@/lib/contract/installation-states";

/** Completes "because …". */
export const HOLD_REASONS: Record<DeliveryHold, string> = {
  NOT_RUNNING: "the installation wasn't running",
  NOT_READY: "no instance of the app was ready",
  BREAKER_OPEN: "deliveries were paused after repeated failures",
};

export interface LatencyPart {
  part: "queue" | "platform" | "app";
  ms: number;
}

/** Where the time of a call went, in the order in which it passed. Parts that were not measured are left out. */
export function splitLatency({
  queueMs,
  platformMs,
  durationMs,
}: Pick<CallView, "queueMs" | "platformMs" | "durationMs">): LatencyPart[] {
  const parts = [
    { part: "queue", ms: queueMs },
    { part: "platform", ms: platformMs },
    { part: "app", ms: durationMs },
  ] as const;
  return parts.flatMap(({ part, ms }) => (ms === null ? [] : [{ part, ms }]));
}

/** "364 ms", "1.2 s", "3 minutes". */
export function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, "")} s`;
  return formatDuration(ms);
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** "12 minutes": only the largest unit. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1];
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

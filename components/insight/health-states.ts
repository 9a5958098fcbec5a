/** How states of health are named and drawn. Their shapes differ, not only their colors. */
import type { HealthSegment, HealthState } from "@/lib/contract/insight/health";
import { nameZone, writeTime } from "@/lib/domain/platform/zone";

export const HEALTH_LOOKS: Record<HealthState, { label: string; bar: string }> = {
  UP: { label: "Up", bar: "h-full bg-success" },
  DEGRADED: {
    label: "Degraded",
    bar: "h-full bg-[repeating-linear-gradient(135deg,var(--warning)_0_3px,var(--warning-soft)_3px_6px)]",
  },
  DOWN: { label: "Down", bar: "h-1/2 bg-danger" },
  OFF: { label: "Not running", bar: "h-1 bg-line-strong" },
  UNKNOWN: { label: "No data", bar: "h-1 border-t border-dashed border-line-strong" },
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "Up", or how long it was in which other state: "Down for 12 min, degraded for 3 min". */
export function describeStates({ state, ms }: HealthSegment): string {
  const parts = (["DOWN", "DEGRADED"] as const)
    .filter((each) => ms[each] > 0)
    .map((each) => `${HEALTH_LOOKS[each].label} for ${formatLength(ms[each])}`);
  if (parts.length === 0) return HEALTH_LOOKS[state].label;
  return parts.map((part, index) => (index === 0 ? part : lowerFirst(part))).join(", ");
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** `40 s`, `12 min`, `3 h 20 min`. */
export function formatLength(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(1, Math.round(ms / 1_000))} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** "Nov 20, 10 AM – 11 AM (Europe/Zurich, UTC+1)". */
export function formatTimes({ from, to }: Pick<HealthSegment, "from" | "to">, zone: string): string {
  const isShort = Date.parse(to) - Date.parse(from) <= HOUR_MS;
  const end = writeTime(to, isShort ? "hourOfDay" : "hour", zone);
  return `${writeTime(from, "hour", zone)} – ${end} (${nameZone(zone, from)})`;
}

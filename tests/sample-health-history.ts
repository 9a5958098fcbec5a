/** A history of health, for tests of components. */
import type { HealthHistory, HealthSegment, HealthState } from "@/lib/contract/insight/health";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TO = Date.parse("2026-11-20T12:00:00.000Z");

/** Up at most times, with an outage, failing health checks, and a time without customers. Or one state all the time. */
export function sampleHistory(always?: HealthState): HealthHistory {
  const day: Record<number, Partial<HealthSegment["ms"]>> = {
    3: { OFF: HOUR },
    4: { OFF: HOUR },
    14: { DEGRADED: HOUR / 2 },
    20: { DOWN: (2 / 3) * HOUR, DEGRADED: HOUR / 12 },
  };
  const month: Record<number, Partial<HealthSegment["ms"]>> = {
    ...Object.fromEntries(Array.from({ length: 6 }, (_, index) => [index, { UNKNOWN: DAY }])),
    6: { OFF: DAY },
    12: { DOWN: 0.8 * DAY },
    21: { DEGRADED: 3 * HOUR },
    29: { DOWN: HOUR },
  };
  return {
    day: { segments: divide(24, HOUR, day, always), healthy: always === undefined ? 97.2 : null },
    month: { segments: divide(30, DAY, month, always), healthy: always === undefined ? 99.46 : null },
  };
}

function divide(
  count: number,
  lengthMs: number,
  others: Record<number, Partial<HealthSegment["ms"]>>,
  always?: HealthState,
): HealthSegment[] {
  return Array.from({ length: count }, (_, index) => {
    const from = TO - (count - index) * lengthMs;
    const other = always === undefined ? (others[index] ?? {}) : { [always]: lengthMs };
    const rest = lengthMs - Object.values(other).reduce((sum, ms) => sum + ms, 0);
    const ms = { UP: rest, DEGRADED: 0, DOWN: 0, OFF: 0, UNKNOWN: 0, ...other };
    const state: HealthState =
      ms.DOWN > lengthMs / 2
        ? "DOWN"
        : ms.DOWN + ms.DEGRADED > 0
          ? "DEGRADED"
          : ms.OFF > 0
            ? "OFF"
            : ms.UNKNOWN > 0
              ? "UNKNOWN"
              : "UP";
    return {
      from: new Date(from).toISOString(),
      to: new Date(from + lengthMs).toISOString(),
      state,
      ms,
      reasons: ms.DOWN > 0 ? ["The app exited with code 1."] : [],
    };
  });
}

/** Entries of a log, for tests of components. */
import type { LogEventView, LogLineView } from "@/lib/contract/insight/app-log";
import type { AppMetrics } from "@/lib/contract/insight/call";
import type { HealthHistory, HealthSegment, HealthState } from "@/lib/contract/insight/health";
import { sampleCallChart } from "./calls";

export const INSTANCE = "019ab000-0000-7000-8000-00000003f2a1";
export const OTHER_INSTANCE = "019ab000-0000-7000-8000-00000007c4d9";

/** A line with this number, written that many seconds after the first. */
export function sampleLine(number: number, changed: Partial<LogLineView> = {}): LogLineView {
  const at = changed.at ?? momentAt(number);
  return {
    kind: "line",
    id: position(at, 1, number),
    at,
    instanceId: INSTANCE,
    stream: "stdout",
    level: null,
    text: `line ${number}`,
    cutBytes: 0,
    ...changed,
  };
}

export function sampleEvent(
  number: number,
  event: LogEventView["event"],
  changed: Partial<LogEventView> = {},
): LogEventView {
  const at = changed.at ?? momentAt(number);
  return {
    ...{ kind: "event", id: position(at, 0, number), at },
    ...{ instanceId: INSTANCE, event, reason: null },
    ...changed,
  };
}

const momentAt = (number: number) =>
  new Date(Date.parse("2026-11-20T10:00:00.120Z") + number * 1_000).toISOString();

const position = (at: string, kind: 0 | 1, number: number) =>
  `${Date.parse(at)}000-${kind}-${String(number).padStart(13, "0")}`;

const MEBIBYTE = 1024 * 1024;

/** A day with the chart of `sampleCallChart`: a gap of three hours in the morning, then a restart. */
export function sampleMetrics(): AppMetrics {
  const calls = sampleCallChart();
  const points = calls.points.map(({ at }, index) => {
    const isGap = index >= 12 && index < 18;
    const cpu = 12 + 9 * Math.sin((index / 48) * Math.PI * 2 - 1.6);
    const memoryBytes = (90 + ((index * 7) % 40)) * MEBIBYTE;
    const measured = { cpu, peakCpu: cpu * 2 + 4, memoryBytes, peakMemoryBytes: memoryBytes * 1.2 };
    const nothing = { cpu: null, peakCpu: null, memoryBytes: null, peakMemoryBytes: null };
    return { at, ...(isGap ? nothing : measured), restarts: index === 12 || index === 18 ? 2 : 0 };
  });
  return {
    from: calls.from,
    to: calls.to,
    bucketMs: calls.bucketMs,
    points,
    total: {
      ...{ cpu: 12.4, peakCpu: 46, restarts: 4 },
      ...{ memoryBytes: 108 * MEBIBYTE, peakMemoryBytes: 154 * MEBIBYTE },
    },
    limits: { cpu: 100, memoryBytes: 512 * MEBIBYTE },
    calls,
  };
}

/** The same range without anything. */
export function emptyMetrics(): AppMetrics {
  const sample = sampleMetrics();
  const nothing = { cpu: null, peakCpu: null, memoryBytes: null, peakMemoryBytes: null, restarts: 0 };
  const noCalls = { calls: 0, failed: 0, p50: null, p95: null };
  return {
    ...sample,
    points: sample.points.map(({ at }) => ({ at, ...nothing })),
    total: nothing,
    limits: { cpu: null, memoryBytes: null },
    calls: {
      ...sample.calls,
      total: noCalls,
      points: sample.points.map(({ at }) => ({ at, ...noCalls })),
      routes: [],
    },
  };
}

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
    day: {
      segments: divide(24, HOUR, day, always),
      healthy: always === undefined ? 97.2 : null,
      since: null,
    },
    month: {
      segments: divide(30, DAY, month, always),
      ...(always === undefined
        ? { healthy: 99.46, since: new Date(TO - 24 * DAY).toISOString() }
        : { healthy: null, since: null }),
    },
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

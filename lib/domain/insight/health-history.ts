/** Divides the health of a version into the segments of a strip. Pure. */
import type { HealthHistory, HealthSegment, HealthState, HealthStrip } from "@/lib/contract/insight/health";
import type { INSTANCE_EVENT_KINDS } from "@/lib/contract/runtime/app-log";
import { EXPECTED_ENDS, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** 24 hours and 30 days up to the next full hour, so that the last day of the month is the whole other strip. */
export function divideHistory(periods: readonly HealthPeriod[], now: number): HealthHistory {
  const to = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return {
    day: divide(periods, to - DAY_MS, HOUR_MS, 24, now),
    month: divide(periods, to - 30 * DAY_MS, DAY_MS, 30, now),
  };
}

/** For how long it should have run on a day, and for how long it was healthy. */
export function measureDay(
  periods: readonly HealthPeriod[],
  from: Date,
): { wantedMs: number; healthyMs: number } {
  const end = from.getTime() + DAY_MS;
  const [segment] = divide(periods, from.getTime(), DAY_MS, 1, end).segments;
  const { UP = 0, DEGRADED = 0, DOWN = 0 } = segment?.ms ?? {};
  return { wantedMs: UP + DEGRADED + DOWN, healthyMs: UP };
}

const MOST_REASONS = 3;

function divide(
  periods: readonly HealthPeriod[],
  from: number,
  lengthMs: number,
  count: number,
  now: number,
): HealthStrip {
  const segments = Array.from({ length: count }, (_, index) => ({
    from: from + index * lengthMs,
    ms: { UP: 0, DEGRADED: 0, DOWN: 0, OFF: 0, UNKNOWN: 0 },
    reasons: new Set<string>(),
  }));
  const known = [{ from: -Infinity, state: "UNKNOWN" as const, reason: null }, ...periods];
  known.forEach(({ from: start, state, reason }, index) => {
    const begin = Math.max(start, from);
    const end = Math.min(known[index + 1]?.from ?? now, now);
    if (end <= begin) return;
    // Only the segments that it touches: a crash loop has thousands of periods.
    for (let at = Math.floor((begin - from) / lengthMs); at < count; at += 1) {
      const segment = segments[at];
      if (segment === undefined || segment.from >= end) break;
      const ms = Math.min(end, segment.from + lengthMs) - Math.max(begin, segment.from);
      segment.ms[state] += ms;
      if (reason !== null && segment.reasons.size < MOST_REASONS) segment.reasons.add(reason);
    }
  });
  const begun = known.find(({ state }) => state !== "UNKNOWN")?.from ?? -Infinity;
  return {
    segments: segments.map(({ from: start, ms, reasons }) => ({
      from: new Date(start).toISOString(),
      to: new Date(start + lengthMs).toISOString(),
      state: describe(ms),
      ms,
      reasons: [...reasons],
    })),
    healthy: shareHealthy(segments.map(({ ms }) => ms)),
    since: begun > from && begun < now ? new Date(begun).toISOString() : null,
  };
}

type Durations = HealthSegment["ms"];

/** Down if it was for at least half of the time in which it should have run; degraded if it ever was, or was down for less. */
function describe({ UP, DEGRADED, DOWN, OFF }: Durations): HealthState {
  if (DOWN > 0 && DOWN >= UP + DEGRADED) return "DOWN";
  if (DOWN > 0 || DEGRADED > 0) return "DEGRADED";
  if (UP > 0) return "UP";
  return OFF > 0 ? "OFF" : "UNKNOWN";
}

function shareHealthy(segments: readonly Durations[]): number | null {
  const add = (read: (ms: Durations) => number) => segments.reduce((total, ms) => total + read(ms), 0);
  const wanted = add(({ UP, DEGRADED, DOWN }) => UP + DEGRADED + DOWN);
  return wanted === 0 ? null : (add(({ UP }) => UP) / wanted) * 100;
}

/** A time in which something used a version. Null: from its beginning on, or until now. */
interface Stay {
  from: number | null;
  to: number | null;
  periods: readonly HealthPeriod[];
}

/** What an installation saw that moved between versions: the health of each as long as it used it. Oldest first. */
export function joinStays(stays: readonly Stay[]): HealthPeriod[] {
  return stays.flatMap(({ from, to, periods }) => {
    const start = from ?? -Infinity;
    const end = to ?? Infinity;
    const within = periods.filter((period) => period.from > start && period.from < end);
    const before = periods.findLast((period) => period.from <= start);
    const first = before ?? { state: "UNKNOWN" as const, reason: null };
    return [{ ...first, from: start }, ...within];
  });
}

// What the events of a version's instances say about its health. Pure.

export interface InstanceEvent {
  instanceId: string;
  /** Milliseconds since 1970. */
  at: number;
  kind: (typeof INSTANCE_EVENT_KINDS)[number];
  code: ReasonCode | null;
  reason: string | null;
}

/** A time in one state. It lasts until the next one begins. */
interface HealthPeriod {
  from: number;
  state: HealthState;
  /** Why it is degraded or down, if known. */
  reason: string | null;
}

/**
 * The states of a version, oldest first, from all events of its instances in their order. Before the first event, nothing is known,
 * except what that event implies: what recovers was failing, and what ends ran.
 */
export function traceHealth(events: readonly InstanceEvent[]): HealthPeriod[] {
  const [first] = events;
  if (first === undefined) return [];
  const instances = new Map<string, Phase>();
  // Ends after which nothing has taken the instance's place.
  let missing = 0;
  let reason: string | null = null;
  const implied = IMPLIED[first.kind];
  const periods: HealthPeriod[] =
    implied === undefined ? [] : [{ from: -Infinity, state: implied, reason: null }];
  for (const event of events) {
    const { instanceId: id, kind } = event;
    const before = instances.get(id);
    if (kind === "started") instances.set(id, "starting");
    else if (kind === "failing") instances.set(id, "failing");
    else if (kind === "ready" || kind === "recovered") instances.set(id, "healthy");
    else instances.delete(id);
    if (kind === "ready") missing = Math.max(0, missing - 1);
    // A failed attempt to replace a missing instance does not count as another end.
    else if (isMissed(event)) missing = before === "starting" ? Math.max(1, missing) : missing + 1;
    // An extra replica ended, so others still run.
    else if (event.code === "NOT_NEEDED" && instances.size === 0) missing = 0;
    if (kind === "failing" || isMissed(event)) reason = event.reason;
    const state = judge([...instances.values()], missing);
    const last = periods.at(-1);
    const explained = { from: event.at, state, reason: state === "UP" || state === "OFF" ? null : reason };
    if (last?.state !== explained.state || last.reason !== explained.reason) periods.push(explained);
  }
  return periods;
}

type Phase = "starting" | "healthy" | "failing";

const IMPLIED: Partial<Record<InstanceEvent["kind"], HealthState>> = {
  failing: "UP",
  recovered: "DEGRADED",
  failed: "UP",
  stopped: "UP",
};

/** Whether it ended although it should run. Early events have no code. */
function isMissed({ kind, code }: InstanceEvent): boolean {
  if (kind === "failed") return true;
  return kind === "stopped" && code !== null && !EXPECTED_ENDS.some((expected) => expected === code);
}

function judge(phases: readonly Phase[], missing: number): HealthState {
  const running = phases.filter((phase) => phase !== "starting");
  if (running.length === 0) return missing > 0 ? "DOWN" : "OFF";
  return missing > 0 || running.includes("failing") ? "DEGRADED" : "UP";
}

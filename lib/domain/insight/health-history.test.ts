import fc from "fast-check";
import { expect, test } from "vitest";
import { INSTANCE_EVENT_KINDS } from "@/lib/contract/runtime/app-log";
import { REASON_CODES, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { divideHistory, type InstanceEvent, joinStays, traceHealth } from "./health-history";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A quarter to an hour. */
const NOW = Date.UTC(2026, 10, 20, 11, 45);

/** An event so many minutes before now. */
function event(
  minutesAgo: number,
  kind: InstanceEvent["kind"],
  instanceId = "a",
  code: ReasonCode | null = null,
): InstanceEvent {
  const reason = code === null ? null : `Because of ${code}.`;
  return { at: NOW - minutesAgo * 60_000, kind, instanceId, code, reason };
}

const trace = (...events: InstanceEvent[]) =>
  traceHealth(events).map(({ from, state }) => [Math.round((NOW - from) / 60_000), state]);
const strip = (...events: InstanceEvent[]) => divideHistory(traceHealth(events), NOW).day;

test("an app starts, fails health checks, crashes, is restarted, and is stopped when nobody needs it", () => {
  const states = trace(
    event(100, "started"),
    event(99, "ready"),
    event(80, "failing", "a", "HEALTH_NOT_200"),
    event(79, "recovered"),
    event(60, "failed", "a", "EXITED"),
    event(59, "started", "b"),
    event(58, "ready", "b"),
    event(10, "stopped", "b", "NOT_NEEDED"),
  );
  expect(states).toEqual([
    [100, "OFF"],
    [99, "UP"],
    [80, "DEGRADED"],
    [79, "UP"],
    [60, "DOWN"],
    [58, "UP"],
    [10, "OFF"],
  ]);
});

// Guarantee: a crash loop is one time in which the app is down, and ends with the first start that succeeds, or with the last customer.
test("failed starts keep it down", () => {
  const loop = [50, 40, 30].flatMap((ago) => [
    event(ago, "started", `${ago}`),
    event(ago - 1, "failed", `${ago}`, "EXITED"),
  ]);
  const before = [event(60, "ready"), event(55, "failed", "a", "OOM_KILLED")];
  const states = (...after: InstanceEvent[]) =>
    trace(event(70, "failing"), ...before, ...loop, ...after).slice(-2);
  expect(traceHealth([...before, ...loop]).map(({ state, reason }) => [state, reason])).toEqual([
    ["UP", null],
    ["DOWN", "Because of OOM_KILLED."],
    ["DOWN", "Because of EXITED."],
  ]);
  expect(states(event(20, "started", "z"), event(19, "ready", "z")).at(-1)).toEqual([19, "UP"]);
  expect(states(event(20, "stopped", "30", "NOT_NEEDED")).at(-1)).toEqual([20, "OFF"]);
});

test("while the platform itself is off or moves an app, the app is not down; if it loses one, it is", () => {
  const end = (code: ReasonCode | null) =>
    trace(event(9, "ready"), event(5, "stopped", "a", code)).at(-1)?.[1];
  expect([end("WORKER_ENDED"), end("MOVED"), end("NOT_NEEDED"), end(null)]).toEqual(Array(4).fill("OFF"));
  expect([end("REMOVED"), end("ENGINE_UNREACHABLE")]).toEqual(["DOWN", "DOWN"]);
});

test("before the first event, nothing is known but what it implies", () => {
  expect(traceHealth([])).toEqual([]);
  const implied = (kind: InstanceEvent["kind"]) => traceHealth([event(5, kind)])[0];
  expect(implied("started")).toMatchObject({ state: "OFF", from: NOW - 5 * 60_000 });
  expect(implied("recovered")).toMatchObject({ state: "DEGRADED", from: -Infinity });
  for (const kind of ["failing", "failed", "stopped"] as const)
    expect(implied(kind)).toMatchObject({ state: "UP", from: -Infinity });
});

// Guarantee: while another replica serves, a crash degrades an app, and doesn't take it down.
test("replicas", () => {
  const states = trace(
    event(60, "ready", "a"),
    event(59, "ready", "b"),
    event(50, "failed", "a", "EXITED"),
    event(49, "started", "c"),
    event(48, "failed", "c", "EXITED"),
    event(40, "started", "d"),
    event(39, "ready", "d"),
    event(30, "failing", "b", "HEALTH_NOT_200"),
    event(29, "failed", "b", "HEALTH_NOT_200"),
    event(28, "failed", "d", "EXITED"),
    event(20, "ready", "e"),
    event(10, "ready", "f"),
  );
  expect(states).toEqual([
    [60, "UP"],
    [50, "DEGRADED"],
    [39, "UP"],
    [30, "DEGRADED"],
    [28, "DOWN"],
    [20, "DEGRADED"],
    [10, "UP"],
  ]);
});

test("a day has 24 full hours, of which the last is not over, and a month 30 days up to the same time", () => {
  const { day, month } = divideHistory(traceHealth([event(90, "ready")]), NOW);
  expect(day.segments.map(({ state }) => state).slice(-3)).toEqual(["UNKNOWN", "UP", "UP"]);
  expect(day.segments).toHaveLength(24);
  expect(day.segments.at(-1)).toMatchObject({
    from: "2026-11-20T11:00:00.000Z",
    to: "2026-11-20T12:00:00.000Z",
    ms: { UP: 45 * 60_000, UNKNOWN: 0 },
  });
  expect(day.segments.at(-2)?.ms).toMatchObject({ UP: 45 * 60_000, UNKNOWN: 15 * 60_000 });
  expect(month.segments).toHaveLength(30);
  expect(month.segments.at(-1)).toMatchObject({ from: day.segments[0]?.from, to: day.segments.at(-1)?.to });
  expect([day.healthy, month.healthy]).toEqual([100, 100]);
  // A share of less time than the strip has says so.
  expect([day.since, month.since]).toEqual(["2026-11-20T10:15:00.000Z", "2026-11-20T10:15:00.000Z"]);
  const later = divideHistory(traceHealth([event(90, "started"), event(89, "ready")]), NOW + 3 * DAY);
  expect([later.day.since, later.month.since]).toEqual([null, "2026-11-20T10:15:00.000Z"]);
  expect(divideHistory([], NOW).month.since).toBeNull();
});

test("a segment shows what describes it best, how long each state lasted, and why", () => {
  const day = strip(
    event(600, "ready"),
    event(165, "failed", "a", "EXITED"),
    event(120, "ready", "b"),
    event(40, "failed", "b", "OOM_KILLED"),
    event(39, "ready", "c"),
  );
  const [long, , short] = day.segments.slice(-3);
  expect(long).toMatchObject({ state: "DOWN", ms: { DOWN: 45 * 60_000, UP: 15 * 60_000 } });
  expect(long?.reasons).toEqual(["Because of EXITED."]);
  expect(short).toMatchObject({ state: "DEGRADED", reasons: ["Because of OOM_KILLED."] });
  expect(day.healthy).toBeCloseTo((554 / 600) * 100, 5);
  expect(divideHistory([], NOW).day.healthy).toBeNull();
});

// Guarantee: a customer who moved to another version sees the health of what it used, at each time.
test("an installation that moved between versions", () => {
  const old = traceHealth([event(300, "ready"), event(90, "failed", "a", "EXITED")]);
  const next = traceHealth([event(200, "ready", "b"), event(30, "failing", "b", "HEALTH_NOT_200")]);
  const at = (minutesAgo: number) => NOW - minutesAgo * 60_000;
  const joined = joinStays([
    { from: null, to: at(150), periods: old },
    { from: at(150), to: null, periods: next },
  ]);
  expect(joined.map(({ from, state }) => [Math.round((NOW - from) / 60_000), state])).toEqual([
    [Infinity, "UNKNOWN"],
    [300, "UP"],
    [150, "UP"],
    [30, "DEGRADED"],
  ]);
  expect(joinStays([{ from: at(150), to: null, periods: [] }])).toMatchObject([{ state: "UNKNOWN" }]);
});

// Guarantee: whatever happened, each moment is counted once, and a share is a share.
test("the states of a strip add up to its time", () => {
  const anyEvent = fc.record({
    minutes: fc.integer({ min: 0, max: 3_000 }),
    kind: fc.constantFrom(...INSTANCE_EVENT_KINDS),
    instance: fc.constantFrom("a", "b", "c"),
    code: fc.constantFrom(null, ...REASON_CODES),
  });
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (drawn) => {
      const events = drawn
        .map(({ minutes, kind, instance, code }) => event(minutes, kind, instance, code))
        .sort((one, other) => one.at - other.at);
      const { day, month } = divideHistory(traceHealth(events), NOW);
      const total = ({ segments }: typeof day) =>
        segments.flatMap(({ ms }) => Object.values(ms)).reduce((sum, ms) => sum + ms, 0);
      expect(total(day)).toBe(DAY - 15 * 60_000);
      expect(total(month)).toBe(30 * DAY - 15 * 60_000);
      expect(day.healthy ?? 50).toBeGreaterThanOrEqual(0);
      expect(day.healthy ?? 50).toBeLessThanOrEqual(100);
      expect(day.segments.every(({ ms }) => Object.values(ms).every((each) => each >= 0))).toBe(true);
    }),
  );
});

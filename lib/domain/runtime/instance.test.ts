import { expect, test } from "vitest";
import { restartWaitMs } from "../calls/backoff";
import {
  BACKOFF_MINUTES,
  CRASHES_TO_PARK,
  explainListening,
  explainSlowStart,
  isCrashLoop,
  isStray,
  mayBeCrashLoop,
  nextRestart,
  type Owner,
  parseListeners,
} from "./instance";

const at = new Date("2026-01-01T12:00:00Z");
const after = (ms: number) => new Date(at.getTime() + ms);

test("the next restart waits for the backoff after the last failure", () => {
  expect(nextRestart({ lastFailure: { at }, countedFailures: 1 })).toBeUndefined();
  expect(nextRestart({ lastFailure: { at }, countedFailures: 100 })).toEqual(after(300_000));
  expect(nextRestart({ countedFailures: 0 })).toBeUndefined();
});

// Guarantee: an app that exits at once is parked, and one crash too few is not a loop.
test("ten crashes within an hour are a crash loop, and the waits leave time for them", () => {
  expect([9, 10, 11].map(isCrashLoop)).toEqual([false, true, true]);
  const waits = Array.from({ length: CRASHES_TO_PARK }, (_, failures) => restartWaitMs(failures));
  const loopMs = waits.reduce((sum, wait) => sum + wait, 0);
  // Also if each start takes the minute in which an app must become ready.
  expect(loopMs + CRASHES_TO_PARK * 60_000).toBeLessThan(BACKOFF_MINUTES * 60_000);
});

test("a crash is judged once the call that may have caused it is recorded", () => {
  const crashed = { lastFailure: { at }, countedFailures: 10 };
  expect(mayBeCrashLoop(crashed, after(4_000))).toBe(false);
  expect(mayBeCrashLoop(crashed, after(5_000))).toBe(true);
  expect(mayBeCrashLoop({ ...crashed, countedFailures: 9 }, after(5_000))).toBe(false);
});

const container = { handle: "c1", versionId: "v1" };
const owner: Owner = {
  versionId: "v1",
  handle: "c1",
  state: "READY",
  secondsSinceEnd: null,
};
const isLeft = (...owners: Owner[]) => isStray(container, owners, new Set());

test("a container belongs to its instance, and to a start that has not stored its handle yet", () => {
  expect(isLeft(owner)).toBe(false);
  expect(isLeft({ ...owner, state: "STARTING", handle: null })).toBe(false);
  expect(isLeft()).toBe(true);
  expect(isLeft({ ...owner, handle: "c2" })).toBe(true);
  expect(isLeft({ ...owner, versionId: "v2", state: "STARTING", handle: null })).toBe(true);
});

test("calls in progress may finish on an instance that is draining", () => {
  expect(isLeft({ ...owner, state: "DRAINING" })).toBe(false);
});

test("whoever ends an instance may finish that", () => {
  const ended = { ...owner, state: "STOPPED" as const };
  expect(isLeft({ ...ended, secondsSinceEnd: 14 })).toBe(false);
  expect(isLeft({ ...ended, secondsSinceEnd: 16 })).toBe(true);
});

test("an instance of automatic checks belongs to them while they run", () => {
  expect(isStray({ ...container, versionId: "e1" }, [], new Set(["e1"]))).toBe(false);
  expect(isStray({ ...container, versionId: "e1", handle: "c2" }, [owner], new Set())).toBe(true);
});

type Seen = [port: number, loopback: boolean, family?: 4 | 6];
const seen = (listeners: Seen[]) => ({
  port: 8080,
  listeners: listeners.map(([port, loopback, family = 4]) => ({ port, loopback, family })),
});
const explain = (...listeners: Seen[]) => explainListening(seen(listeners));

// Guarantee: a wrong port, a loopback listener and no listener each have their own reason and fix.
test("each mistake has its own reason", () => {
  expect(explain()).toMatch(/doesn't listen on any port.*PLATFORM_PORT/);
  expect(explain([8080, true])).toMatch(/listens on 127.0.0.1.*must listen on 0.0.0.0/);
  expect(explain([3000, false])).toMatch(
    /listens on port 3000, not on the port in PLATFORM_PORT, which is 8080/,
  );
  expect(explain([9229, true], [3000, false], [3000, true])).toMatch(/listens on the ports 3000, 9229/);
});

// Guarantee: a server for IPv6 alone is told so, and one on `::` that accepts IPv4 is not blamed for anything.
test("a listener for IPv6 is the reason only where it refuses IPv4", () => {
  expect(explain([8080, true, 6])).toMatch(/listens on ::1, which nothing outside/);
  expect(explain([8080, false, 6])).toBeUndefined();
  expect(explainListening(seen([[8080, false, 6]]), true)).toMatch(
    /listens on \[::\] only for IPv6, and containers have only IPv4 addresses/,
  );
  const both: Seen[] = [
    [8080, false, 6],
    [8080, false, 4],
  ];
  expect(explainListening(seen(both), true)).toBeUndefined();
});

// Guarantee: what is slow is not called wrong, and its publisher reads what was seen.
test("a start that takes too long may still be going on", () => {
  expect(explainSlowStart({ withinSeconds: 60, cpuNs: 41.26e9, hasLog: true })).toBe(
    "It may still be starting: its process is running and has used 41.3 s of CPU time, but it doesn't listen on any port yet. The end of its log shows how far it got. Listen on 0.0.0.0 and on the port in PLATFORM_PORT within 60 s of the start, and do slow work after that.",
  );
  expect(explainSlowStart({ withinSeconds: 60, hasLog: false })).toMatch(
    /is running, but .* It has written nothing to its log so far\./,
  );
  expect(explainSlowStart({ withinSeconds: 60, mayListenElsewhere: true })).toBe(
    "It may still be starting, or listen on another port or address: its process is running, but nothing answers on its port. Listen on 0.0.0.0 and on the port in PLATFORM_PORT within 60 s of the start, and do slow work after that.",
  );
});

test("an app that listens as it must has none, whatever else it listens on", () => {
  expect(explain([8080, false])).toBeUndefined();
  expect(explain([9229, true], [8080, true], [8080, false])).toBeUndefined();
});

test("the kernel's tables tell address and family of each listener", () => {
  const row = (address: string, state = "0A") =>
    `   0: ${address} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 65532 0 1`;
  const tables = [
    "  sl  local_address rem_address   st",
    row("00000000:1F90"),
    row("0100007F:0BB8"),
    row("0B00007F:9C40"),
    row("0100007F:1234", "01"),
    row("00000000000000000000000000000000:1F91"),
    row("00000000000000000000000001000000:1F92"),
    row("0000000000000000FFFF00000100007F:1F93"),
    row("0000000000000000FFFF00000205A8C0:1F94"),
  ];
  expect(parseListeners(tables.join("\n"))).toEqual([
    { port: 8080, loopback: false, family: 4 },
    { port: 3000, loopback: true, family: 4 },
    { port: 8081, loopback: false, family: 6 },
    { port: 8082, loopback: true, family: 6 },
    { port: 8083, loopback: true, family: 4 },
    { port: 8084, loopback: false, family: 4 },
  ]);
});

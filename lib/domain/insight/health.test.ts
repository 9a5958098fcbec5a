import { expect, test } from "vitest";
import { INSTALLATION_STATES } from "@/lib/contract/catalog/installation-states";
import { assessHealth, type HealthFacts } from "./health";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const iso = (minute: number) => at(minute).toISOString();
const CRASH = { at: at(9), code: "EXITED", exitCode: 1, reason: "The app exited with code 1." } as const;

const ready = {
  runtime: "docker",
  state: "READY",
  code: null,
  reason: null,
  createdAt: at(9),
  readyAt: at(9),
  failingSince: null,
  failedChecks: 0,
} as const;

const facts = (changed: Partial<HealthFacts> = {}): HealthFacts => ({
  state: "RUNNING",
  instance: ready,
  lastUpAt: null,
  recentFailures: 0,
  firstRecentFailureAt: null,
  failures: 0,
  countedFailures: 0,
  ...changed,
});

test("a ready instance without failures is running", () => {
  expect(assessHealth(facts())).toEqual({ status: "RUNNING", problems: [] });
});

// Guarantee: an installation that crashed five times never looks as if nothing had happened.
test("five crashes are degraded with the reason while it runs again, and down while it does not", () => {
  const crashed = {
    lastUpAt: at(9),
    lastFailure: CRASH,
    recentFailures: 5,
    firstRecentFailureAt: at(5),
    failures: 5,
  };
  const problem = { since: iso(5), count: 5, reason: CRASH.reason, code: "EXITED" };
  expect(assessHealth(facts(crashed))).toEqual({
    status: "DEGRADED",
    problems: [{ cause: "failures", ...problem }],
  });
  const ended = { ...ready, state: "FAILED", code: "EXITED", reason: CRASH.reason } as const;
  expect(assessHealth(facts({ ...crashed, instance: ended }))).toEqual({
    status: "DOWN",
    problems: [
      {
        cause: "not-running",
        since: iso(9),
        count: 5,
        reason: CRASH.reason,
        code: "EXITED",
      },
    ],
  });
});

test("a start after a crash is still down, since the crash and with its reason", () => {
  const starting = { ...ready, state: "STARTING", createdAt: at(10) } as const;
  const { status, problems } = assessHealth(
    facts({ instance: starting, lastUpAt: at(9), lastFailure: CRASH, failures: 1 }),
  );
  expect(status).toBe("DOWN");
  expect(problems).toMatchObject([{ since: iso(9), reason: CRASH.reason }]);
});

test("an instance that ended without a failure is down with that reason", () => {
  const stopped = { ...ready, state: "STOPPED", code: "WORKER_ENDED", reason: "Its worker ended." } as const;
  expect(assessHealth(facts({ instance: stopped, lastUpAt: at(9) })).problems).toMatchObject([
    { count: 0, reason: "Its worker ended.", code: "WORKER_ENDED" },
  ]);
});

test("failing health checks and calls are degraded, each since it fails", () => {
  const failing = {
    ...ready,
    failingSince: at(3),
    failedChecks: 2,
    reason: "GET /health returned 500. It must return exactly 200.",
  };
  const failedCalls = { count: 20, since: at(1), reason: "It returned 500." };
  const { status, problems } = assessHealth(facts({ instance: failing, failedCalls }));
  expect(status).toBe("DEGRADED");
  expect(problems.map(({ cause, since, count }) => [cause, since, count])).toEqual([
    ["health-checks", iso(3), 2],
    ["calls", iso(1), 20],
  ]);
});

// Guarantee: deliveries that wait are explained on the page.
test("an open circuit breaker is degraded, with the reason of the last failure", () => {
  const breaker = { count: 10, since: at(3), reason: "It returned 500." };
  const problem = { ...breaker, cause: "deliveries-paused", since: at(3).toISOString(), code: null };
  const many = Array.from({ length: 7 }, (_, at) => ({ ...breaker, eventType: `type.${at}` }));
  const { problems } = assessHealth(facts({ breakers: many }));
  expect(problems).toHaveLength(6);
  expect(problems.at(-1)).toMatchObject({ cause: "deliveries-paused", otherTypes: 2 });
  expect(assessHealth(facts({ breakers: [{ ...breaker, eventType: null }] }))).toEqual({
    status: "DEGRADED",
    problems: [problem],
  });
  expect(assessHealth(facts({ breakers: [{ ...breaker, eventType: "policy.issued" }] }))).toEqual({
    status: "DEGRADED",
    problems: [{ ...problem, eventType: "policy.issued" }],
  });
});

test("one or two failed calls say nothing about the app", () => {
  for (const count of [1, 2])
    expect(
      assessHealth(facts({ failedCalls: { count, since: at(1), reason: "It returned 422." } })).status,
    ).toBe("RUNNING");
});

test("every other state stays what it is, whatever the version's instances do", () => {
  for (const state of INSTALLATION_STATES.filter((each) => each !== "RUNNING"))
    expect(assessHealth(facts({ state, instance: undefined }))).toEqual({ status: state, problems: [] });
});

// Guarantee: a version that is not restarted anymore says so, with the cause of its crashes.
test("a parked version is down as parked, until an instance is ready", () => {
  const parked = { lastFailure: CRASH, failures: 10, parked: { at: at(10), crashes: 10 } };
  const ended = { ...ready, state: "FAILED", code: "EXITED", reason: CRASH.reason } as const;
  expect(assessHealth(facts({ ...parked, instance: ended }))).toEqual({
    status: "DOWN",
    problems: [{ cause: "parked", since: iso(10), count: 10, reason: CRASH.reason, code: "EXITED" }],
  });
  expect(assessHealth(facts(parked)).status).toBe("RUNNING");
});

// Guarantee: an app that was stopped because nothing called it is not shown as failing.
test("a version that sleeps is asleep until an instance is ready, unless its start fails", () => {
  const asleepSince = at(8);
  const ended = { ...ready, state: "STOPPED", code: "ASLEEP", reason: "Nothing called the app." } as const;
  expect(assessHealth(facts({ asleepSince, instance: ended }))).toEqual({ status: "ASLEEP", problems: [] });
  const starting = { ...ready, state: "STARTING", readyAt: null } as const;
  expect(assessHealth(facts({ asleepSince, instance: starting }))).toMatchObject({ status: "ASLEEP" });
  expect(
    assessHealth(facts({ asleepSince, lastFailure: { ...CRASH, at: at(9) }, instance: starting })),
  ).toMatchObject({
    status: "DOWN",
  });
  const refused = { ...ended, code: "ENGINE_UNREACHABLE" } as const;
  expect(assessHealth(facts({ asleepSince, instance: refused }))).toMatchObject({ status: "DOWN" });
  expect(assessHealth(facts({ asleepSince }))).toMatchObject({ status: "RUNNING" });
});

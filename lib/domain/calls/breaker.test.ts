import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Breaker,
  type Breakers,
  chooseProbes,
  FAILURES_TO_OPEN,
  NEVER_OPENED,
  nextBreakers,
  type Probe,
  readSignal,
  type Signal,
} from "./breaker";

const T0 = new Date("2026-01-01T00:00:00Z");
const after = (ms: number) => new Date(T0.getTime() + ms);
const A = "policy.issued";
const fails: Signal = { eventType: A, app: "fails", probe: null, reason: "It returned 500." };
const works: Signal = { eventType: A, app: "works", probe: null, reason: null };
const probe = (signal: Signal, which: Probe = "type"): Signal => ({ ...signal, probe: which });
const of = (eventType: string, signal: Signal): Signal => ({ ...signal, eventType });
const CLOSED: Breakers = { whole: NEVER_OPENED, types: new Map() };

const play = (signals: readonly Signal[], from = CLOSED, now = T0) =>
  signals.reduce((breakers, signal) => nextBreakers(breakers, signal, now), from);
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const typeOf = (breakers: Breakers, eventType = A) => breakers.types.get(eventType) ?? NEVER_OPENED;
const halfOpen = (breakers: Breakers, eventType = A): Breakers => {
  const half = (breaker: Breaker): Breaker =>
    breaker.state === "CLOSED" ? breaker : { ...breaker, state: "HALF_OPEN" };
  const type = half(typeOf(breakers, eventType));
  return { whole: half(breakers.whole), types: new Map([...breakers.types, [eventType, type]]) };
};

const opened = play(times(FAILURES_TO_OPEN, fails));

// Guarantee: one bad event never stops the others; a type that fails again and again is left alone, and no other with it.
test("a type opens after failures in a row, alone, and a success between them starts the count again", () => {
  expect(typeOf(play(times(FAILURES_TO_OPEN - 1, fails))).state).toBe("CLOSED");
  expect(typeOf(opened)).toMatchObject({ state: "OPEN", openedAt: T0, probeAt: after(5_000), openings: 1 });
  expect(opened.whole).toMatchObject({ state: "CLOSED", failures: 0 });
  const reset = play([...times(FAILURES_TO_OPEN - 1, fails), works, ...times(FAILURES_TO_OPEN - 1, fails)]);
  expect(typeOf(reset).state).toBe("CLOSED");
});

test("an app that fails whatever it gets opens the whole, and a success closes it", () => {
  const mixed = Array.from({ length: FAILURES_TO_OPEN }, (_, at) => of(`t${at % 4}`, fails));
  const down = play(mixed);
  expect(down.whole).toMatchObject({ state: "OPEN", failures: FAILURES_TO_OPEN, probeAt: after(5_000) });
  expect([...down.types.values()].every(({ state }) => state === "CLOSED")).toBe(true);
  const up = nextBreakers(halfOpen(down, "other"), of("other", probe(works, "whole")), after(6_000));
  expect(up.whole).toMatchObject({ state: "CLOSED", failures: 0, closedAt: after(6_000) });
  // Those that failed get a probe each, at once; others flow.
  for (const type of ["t0", "t1", "t2", "t3"])
    expect(typeOf(up, type)).toMatchObject({ state: "OPEN", probeAt: after(6_000) });
  expect(typeOf(up, "other").state).toBe("CLOSED");
});

test("a type that is open does not count for the whole", () => {
  const one = nextBreakers(halfOpen(opened), probe(fails), after(5_000));
  expect(one.whole.failures).toBe(0);
  expect(nextBreakers(one, of("other", fails), after(5_001)).whole).toMatchObject({
    state: "CLOSED",
    failures: 1,
  });
});

test("a probe that succeeds closes it; one that fails opens it for longer, up to 30 seconds", () => {
  expect(typeOf(nextBreakers(halfOpen(opened), probe(works), after(1)))).toMatchObject({
    state: "CLOSED",
    failures: 0,
    openings: 0,
    openedAt: null,
    closedAt: after(1),
  });
  let breakers = opened;
  const waits = Array.from({ length: 6 }, () => {
    breakers = nextBreakers(halfOpen(breakers), probe(fails), T0);
    return (typeOf(breakers).probeAt?.getTime() ?? 0) - T0.getTime();
  });
  expect(waits).toEqual([10_000, 20_000, 30_000, 30_000, 30_000, 30_000]);
  expect(typeOf(breakers).openedAt).toEqual(T0);
});

// Guarantee: attempts that began before it opened don't keep it open.
test("a late failure changes nothing while it is open, and a late success closes it", () => {
  expect(nextBreakers(opened, fails, after(4_000))).toBe(opened);
  const half = halfOpen(opened);
  expect(nextBreakers(half, fails, after(4_000))).toBe(half);
  expect(typeOf(nextBreakers(opened, works, after(4_000))).state).toBe("CLOSED");
});

// Guarantee: a crash, which the platform repairs by itself, never adds a pause to the restart.
test("a crash doesn't open a breaker, and a probe that met one is repeated immediately", () => {
  const gone: Signal = { eventType: A, app: "gone", probe: null, reason: "It refused the connection." };
  expect(play(times(50, gone))).toBe(CLOSED);
  expect(typeOf(nextBreakers(halfOpen(opened), probe(gone), after(9)))).toMatchObject({
    state: "OPEN",
    probeAt: after(9),
  });
});

test("an app that refuses an event works; timeouts, 408, 429 and 5xx are failures of the app", () => {
  const app = (status: number | null) => readSignal({ status }, works, null).app;
  for (const status of [200, 204, 400, 404, 410, 422]) expect(app(status)).toBe("works");
  for (const status of [null, 408, 429, 500, 503]) expect(app(status)).toBe("fails");
  expect(readSignal({ status: null, interrupted: "refused" }, works, null).app).toBe("gone");
});

test("the probes of the whole are one of each type, those first that never failed or waited longest", () => {
  const candidate = (eventType: string, failedMs: number | null, retried: boolean) => ({
    eventType,
    typeFailedAt: failedMs === null ? null : after(failedMs),
    retried,
    openings: 1,
  });
  const retried = candidate("b", null, true);
  const [late, early, fresh] = [
    candidate("c", 9, false),
    candidate("d", 5, true),
    candidate("b", null, false),
  ];
  expect(chooseProbes("whole", [late, retried, early, fresh])).toEqual([fresh, early, late]);
  expect(chooseProbes("whole", [late, retried, early])).toEqual([retried, early, late]);
  expect(chooseProbes("whole", [])).toEqual([]);
  const many = Array.from({ length: 100 }, (_, at) => candidate(`t${at}`, at, false));
  expect(chooseProbes("whole", many)).toEqual(many.slice(0, 64));
});

// Guarantee: wherever in its queue a payload is that the app handles, it is found with few openings, and at most one try of each other.
test("the probes of a type are those at the ends of what never failed, more at each opening, and two if all failed", () => {
  const candidates = (count: number, isRetried: boolean, openings: number) =>
    Array.from({ length: count }, () => ({ eventType: A, typeFailedAt: T0, retried: isRetried, openings }));
  for (const [openings, most] of [
    [0, 2],
    [1, 2],
    [2, 8],
    [3, 32],
    [4, 64],
    [5, 64],
    [1_000, 64],
  ] as const) {
    const fresh = candidates(100, false, openings);
    const tried = candidates(100, true, openings);
    expect(chooseProbes("type", [...tried, ...fresh])).toEqual(fresh.slice(0, most));
    expect(chooseProbes("type", [...tried, ...fresh.slice(0, 1)])).toEqual(fresh.slice(0, 1));
    expect(chooseProbes("type", tried)).toEqual(tried.slice(0, 2));
    const other = { ...candidates(1, true, openings)[0], eventType: "other" };
    const whole = chooseProbes("whole", [
      ...tried,
      ...fresh,
      { ...other, typeFailedAt: T0, retried: true, openings },
    ]);
    expect(whole).toHaveLength(most);
    expect(whole.filter(({ eventType }) => eventType === "other")).toHaveLength(1);
    expect(whole.filter(({ retried }) => retried)).toHaveLength(1);
    expect(chooseProbes("whole", tried)).toHaveLength(1);
  }
});

// Guarantee: the type that works is not held again by the other types whose probes were sent with its own.
test("probes that fail beside one that works hold their own types, whichever ends first", () => {
  const types = Array.from({ length: 49 }, (_, at) => `t${at}`);
  const down = play(types.slice(0, FAILURES_TO_OPEN).map((type) => of(type, fails)));
  expect(down.whole.state).toBe("OPEN");
  for (const place of [0, 24, 49]) {
    const failing = types.map((type) => of(type, probe(fails, "whole")));
    const volley = failing.toSpliced(place, 0, of("other", probe(works, "whole")));
    const up = play(volley, halfOpen(down, "other"), after(6_000));
    expect(up.whole).toMatchObject({ state: "CLOSED", failures: 0 });
    expect(typeOf(up, "other").state).toBe("CLOSED");
    for (const type of types) expect(typeOf(up, type).state).toBe("OPEN");
  }
});

// Guarantee: a payload that the app fails on holds no other of its type, if a probe shows that the app handles those.
test.each(["type", "whole"] as const)(
  "a probe of a type that works closes it, whichever of the %s's probes end before and after",
  (which) => {
    const mixed = Array.from({ length: FAILURES_TO_OPEN }, (_, at) => of(at % 2 === 0 ? A : "other", fails));
    const held = which === "type" ? opened : play(mixed);
    for (const place of [0, 1, 20, 40]) {
      const volley = times(40, probe(fails, which)).toSpliced(place, 0, probe(works, which));
      const { whole, types } = play(volley, halfOpen(held), after(6_000));
      expect(whole).toMatchObject({ state: "CLOSED", failures: 0 });
      expect(types.get(A)).toMatchObject({ state: "CLOSED", failures: 0, closedAt: after(6_000) });
    }
  },
);

test("the probes that fail after the first one don't make it wait longer", () => {
  const down = play(Array.from({ length: FAILURES_TO_OPEN }, (_, at) => of(`t${at}`, fails)));
  const half = halfOpen(down, "t0");
  const one = nextBreakers(half, of("t0", probe(fails, "whole")), after(6_000));
  const two = nextBreakers(one, of("t1", probe(fails, "whole")), after(7_000));
  expect(two.whole).toMatchObject({ state: "OPEN", openings: 2, probeAt: after(16_000) });
});

// Guarantee: whatever happens, an open breaker always has a moment at which the next delivery is sent, half a minute at most.
test("it never stays open without a next probe", () => {
  const signal = fc.record({
    eventType: fc.constantFrom("a", "b", "c"),
    app: fc.constantFrom("works" as const, "fails" as const, "gone" as const),
    probe: fc.constantFrom("whole" as const, "type" as const, null),
    reason: fc.constant(null),
  });
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 60 }), (signals) => {
      let breakers = CLOSED;
      signals.forEach((each, second) => {
        const now = after(second * 1_000);
        breakers = nextBreakers(breakers, each, now);
        for (const breaker of [breakers.whole, ...breakers.types.values()])
          if (breaker.state === "CLOSED") expect(breaker).toMatchObject({ openedAt: null, probeAt: null });
          else expect((breaker.probeAt?.getTime() ?? Infinity) - now.getTime()).toBeLessThanOrEqual(30_000);
      });
    }),
  );
});

interface Pending {
  eventType: string;
  retried: boolean;
  dueAt: number;
}

/** Sends what may be sent, second after second, as the workers do. @returns when each delivery of a healthy type arrived, in seconds */
function simulate(events: Pending[], broken: ReadonlySet<string>, appWorksFrom: number, seconds: number) {
  let breakers = CLOSED;
  let waiting = [...events];
  const arrived: number[] = [];
  const tries = new Map<string, number>();
  for (let second = 0; second < seconds; second += 1) {
    const now = after(second * 1_000);
    const isDue = (breaker: Breaker) => breaker.state === "CLOSED" || (breaker.probeAt ?? now) <= now;
    const due = waiting.filter(({ dueAt }) => dueAt <= second);
    const send = (each: Pending, which: Probe | null) => {
      const app = second >= appWorksFrom && !broken.has(each.eventType) ? "works" : "fails";
      if (which !== null && (breakers.whole.probeAt ?? now) <= now)
        breakers = halfOpen(breakers, each.eventType);
      const signal = { eventType: each.eventType, app, probe: which, reason: null } as const;
      breakers = nextBreakers(breakers, signal, now);
      tries.set(each.eventType, (tries.get(each.eventType) ?? 0) + 1);
      waiting = waiting.filter((other) => other !== each);
      if (app === "works") arrived.push(second);
      else waiting.push({ ...each, retried: true, dueAt: second + 5 });
    };
    const candidates = (items: Pending[]) =>
      items.map((each) => {
        const { failedAt, openings } = typeOf(breakers, each.eventType);
        const { whole } = breakers;
        return {
          ...each,
          each,
          typeFailedAt: failedAt,
          openings: whole.state === "CLOSED" ? openings : whole.openings,
        };
      });
    if (breakers.whole.state !== "CLOSED") {
      const chosen = isDue(breakers.whole) ? chooseProbes("whole", candidates(due)) : [];
      for (const { each } of chosen) send(each, "whole");
      continue;
    }
    for (const eventType of new Set(due.map((each) => each.eventType))) {
      const own = due.filter((each) => each.eventType === eventType);
      if (typeOf(breakers, eventType).state === "CLOSED") {
        for (const each of own) {
          if (typeOf(breakers, eventType).state !== "CLOSED" || breakers.whole.state !== "CLOSED") break;
          send(each, null);
        }
      } else if (isDue(typeOf(breakers, eventType))) {
        for (const { each } of chooseProbes("type", candidates(own))) send(each, "type");
      }
    }
  }
  return { arrived, tries, left: waiting.filter(({ eventType }) => !broken.has(eventType)).length };
}

// Guarantee: a broken type holds itself, not its neighbors; within a minute after the app works, healthy types flow, and nothing is lost.
test("whatever types are broken, and however long the app was away, the others arrive within a minute of its return", () => {
  const type = fc.constantFrom("a", "b", "c", "d", "e");
  fc.assert(
    fc.property(
      fc.array(fc.record({ eventType: type, dueAt: fc.integer({ min: 0, max: 90 }) }), {
        minLength: 1,
        maxLength: 120,
      }),
      fc.uniqueArray(type, { maxLength: 4 }),
      fc.integer({ min: 0, max: 90 }),
      (events, broken, appWorksFrom) => {
        const last = Math.max(appWorksFrom, ...events.map(({ dueAt }) => dueAt));
        const pending = events.map((each) => ({ ...each, retried: false }));
        const { left, tries } = simulate(pending, new Set(broken), appWorksFrom, last + 61);
        expect(left).toBe(0);
        // A broken type is not tried more often than a breaker allows: each once, and two at each opening.
        for (const each of broken) {
          const own = events.filter(({ eventType }) => eventType === each).length;
          expect(tries.get(each) ?? 0).toBeLessThanOrEqual(FAILURES_TO_OPEN + own + (2 * (last + 61)) / 5);
        }
      },
    ),
    { numRuns: 200 },
  );
});

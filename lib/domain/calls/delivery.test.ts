/** A model of many workers, crashes and answers on a virtual clock: what must be true of every delivery at every moment. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DeliveryAnswer, MOST_INTERRUPTIONS, RETRY_WAITS_MS } from "./backoff";
import {
  acceptDelivery,
  claimDelivery,
  type Delivery,
  type Due,
  endDelivery,
  explainWait,
  extendClaim,
  giveBack,
  LanesInUse,
  pickFairly,
  replayDelivery,
  settle,
  settleDelivery,
} from "./delivery";

const LEASE_MS = 15_000;
const DAY_MS = 86_400_000;

type Step =
  | { do: "wait"; ms: number }
  | { do: "claim"; worker: number }
  | { do: "extend" | "crash" | "give back"; worker: number }
  | { do: "answer"; worker: number; answer: DeliveryAnswer; chance: number }
  | { do: "end" }
  | { do: "replay"; delivered: boolean };

const answer: fc.Arbitrary<DeliveryAnswer> = fc.oneof(
  fc.record({
    status: fc.constantFrom(200, 204, 302, 400, 408, 410, 429, 500, 503, null),
    retryAfter: fc.constantFrom(undefined, "7", "999999", "soon"),
  }),
  fc.record({
    status: fc.constant(null),
    interrupted: fc.constantFrom("refused" as const, "cut" as const),
  }),
);
const worker = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 1_000, 16_000, 400_000, DAY_MS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("claim" as const), worker }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      worker,
      answer,
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  fc.record({
    do: fc.constantFrom("extend" as const, "crash" as const, "give back" as const),
    worker,
  }),
  fc.record({ do: fc.constant("end" as const) }),
  fc.record({ do: fc.constant("replay" as const), delivered: fc.boolean() }),
);

/** Runs the steps, and checks after each. Workers remember their claims, as processes do. */
class Model {
  now = new Date("2026-01-01T00:00:00Z");
  delivery: Delivery = acceptDelivery(this.now);
  claims: (string | undefined)[] = [];
  sent = 0;
  #claimed = 0;

  run(next: Step): void {
    const before = this.delivery;
    this.#apply(next);
    this.#check(before, next);
  }

  #apply(next: Step): void {
    if (next.do === "wait") this.now = new Date(this.now.getTime() + next.ms);
    else if (next.do === "end") this.delivery = endDelivery(this.delivery);
    else if (next.do === "replay")
      this.delivery = replayDelivery(this.delivery, this.now, next.delivered) ?? this.delivery;
    else if (next.do === "claim") this.#claim(next.worker);
    else this.#work(next);
  }

  #claim(number: number): void {
    const by = `claim ${(this.#claimed += 1)}`;
    const claimed = claimDelivery(this.delivery, by, this.now, LEASE_MS);
    if (claimed === undefined) return;
    this.delivery = claimed;
    this.claims[number] = by;
    this.sent += 1;
  }

  #work(next: Extract<Step, { worker: number }>): void {
    const by = this.claims[next.worker];
    if (by === undefined) return;
    if (next.do === "extend")
      this.delivery = extendClaim(this.delivery, by, this.now, LEASE_MS) ?? this.delivery;
    else this.claims[next.worker] = undefined;
    if (next.do === "give back") this.delivery = giveBack(this.delivery, by) ?? this.delivery;
    if (next.do === "answer")
      this.delivery = settleDelivery(this.delivery, by, next.answer, this.now, next.chance) ?? this.delivery;
  }

  #check(before: Delivery, next: Step): void {
    const { state, tries, interruptions, nextAttemptAt, lease } = this.delivery;
    // No attempt after success or end: only a replay leaves a settled state.
    if (before.state !== "PENDING" && next.do !== "replay") expect(this.delivery).toEqual(before);
    if (before.state === "ENDED") expect(state).toBe("ENDED");
    if (next.do === "claim" && before.state !== "PENDING") expect(lease).toEqual(before.lease);
    // Only the one that has the lease settles it.
    if (next.do === "answer" && state !== before.state) expect(before.lease).not.toBeNull();
    // The schedule and its caps.
    expect(tries).toBeLessThanOrEqual(RETRY_WAITS_MS.length);
    expect(interruptions).toBeLessThanOrEqual(MOST_INTERRUPTIONS);
    if (state === "PENDING") expect(tries).toBeLessThan(RETRY_WAITS_MS.length);
    expect(nextAttemptAt.getTime() - this.now.getTime()).toBeLessThanOrEqual(1.2 * DAY_MS);
    if (next.do === "answer" && state === "PENDING" && tries > before.tries)
      expect(nextAttemptAt.getTime() - this.now.getTime()).toBeGreaterThanOrEqual(
        Math.floor(0.8 * (RETRY_WAITS_MS[tries] ?? 0)),
      );
  }

  /** Nothing is lost: without crashes and with an app that works, it is delivered. */
  finish(): void {
    this.claims = [];
    if (this.delivery.state !== "PENDING") return;
    this.run({ do: "wait", ms: 2 * DAY_MS });
    this.run({ do: "claim", worker: 0 });
    this.run({ do: "answer", worker: 0, answer: { status: 204 }, chance: 0.5 });
    expect(this.delivery.state).toBe("DELIVERED");
  }
}

// Guarantee: whatever workers, apps and people do, no event is lost, and none is sent after it was settled.
test("no delivery is lost, sent after its end, or tried beyond the schedule", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const model = new Model();
      for (const each of steps) model.run(each);
      model.finish();
    }),
    { numRuns: 3_000 },
  );
}, 60_000);

// Guarantee: a single crash doesn't make events wait for a minute.
test("crashes use no try at first, and never add up to a minute", () => {
  for (const interrupted of ["refused", "cut"] as const) {
    let waited = 0;
    let used = { tries: 0, interruptions: 0 };
    for (let crashes = 0; crashes < 3; crashes += 1) {
      const next = settle(used, { status: null, interrupted }, new Date(), 1);
      if (next.state !== "PENDING") throw new Error("not pending");
      waited += next.waitMs;
      used = next;
    }
    expect(used).toEqual({ state: "PENDING", waitMs: expect.any(Number), tries: 0, interruptions: 3 });
    expect(waited).toBeLessThan(60_000);
  }
});

// Guarantee: an event that crashes the app each time ends up dead, like any other that fails.
test.each([
  ["cut", RETRY_WAITS_MS.length + 3],
  ["refused", RETRY_WAITS_MS.length + MOST_INTERRUPTIONS],
] as const)("an event whose every attempt is %s is dead after %i attempts", (interrupted, most) => {
  let used = { tries: 0, interruptions: 0 };
  for (let attempts = 1; ; attempts += 1) {
    const next = settle(used, { status: null, interrupted }, new Date(), 0.5);
    if (next.state === "DEAD") {
      expect(attempts).toBe(most);
      return;
    }
    used = next;
    expect(attempts).toBeLessThan(100);
  }
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 12, minute));

// Guarantee: a late delivery says what held it back, and a punctual one says nothing.
test("a delivery waited for the later of a start and an instance, if either came after it was due", () => {
  const dueAt = at(10);
  expect(explainWait({ dueAt, runningSince: at(5), readyAt: at(5) })).toBeUndefined();
  expect(explainWait({ dueAt, runningSince: null, readyAt: null })).toBeUndefined();
  expect(explainWait({ dueAt, runningSince: at(5), readyAt: at(12) })).toEqual({
    dueAt,
    heldBy: "NOT_READY",
  });
  // A start also starts an instance: the reason is the stop.
  expect(explainWait({ dueAt, runningSince: at(13), readyAt: at(12) })).toEqual({
    dueAt,
    heldBy: "NOT_RUNNING",
  });
});

const LANES = 128;
let ids = 0;

const due = (
  installationId: string,
  versionId = `${installationId} app`,
  organizationId = `${installationId} org`,
): Due => ({
  id: `d${(ids += 1)}`,
  installationId,
  versionId,
  organizationId,
});

const board = (...lists: Due[][]) => new Map(lists.map((list) => [list[0]?.installationId ?? "", list]));
const many = (count: number, ...names: Parameters<typeof due>) =>
  Array.from({ length: count }, () => due(...names));

/** How many each installation got. */
function count(picked: Due[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { installationId } of picked) counts[installationId] = (counts[installationId] ?? 0) + 1;
  return counts;
}

// Guarantee: however much work one app has, another customer's event is sent at once.
test("a single busy app gets half of the lanes, and a newcomer still gets its lanes", () => {
  const inUse = new LanesInUse();
  expect(count(pickFairly(board(many(500, "slow")), inUse, LANES))).toEqual({ slow: 64 });
  expect(count(pickFairly(board(many(500, "slow"), many(3, "quick")), inUse, LANES))).toEqual({ quick: 3 });
});

test("two busy apps leave a third of the lanes", () => {
  const inUse = new LanesInUse();
  const { a = 0, b = 0 } = count(pickFairly(board(many(500, "a"), many(500, "b")), inUse, LANES));
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1);
  expect(LANES - inUse.total).toBeGreaterThanOrEqual(42);
});

// Guarantee: many installations of one customer, or of one app, count as one.
test.each([
  ["organization", (n: number) => many(50, `i${n}`, `v${n}`, "org")],
  ["app", (n: number) => many(50, `i${n}`, "app", `o${n}`)],
])("fifty installations of one %s get half of the lanes together", (_name, list) => {
  const inUse = new LanesInUse();
  const lists = Array.from({ length: 50 }, (_, n) => list(n));
  expect(pickFairly(board(...lists), inUse, LANES)).toHaveLength(64);
  expect(pickFairly(board(many(3, "other")), inUse, LANES)).toHaveLength(3);
});

test("installations take turns, also from one call to the next", () => {
  const inUse = new LanesInUse();
  const waiting = board(many(4, "a"), many(4, "b"), many(4, "c"));
  const first = pickFairly(waiting, inUse, 7).map(({ installationId }) => installationId);
  expect(first.slice(0, 3)).toEqual(["a", "b", "c"]);
  for (const installationId of first) inUse.release(due(installationId));
  const second = pickFairly(waiting, inUse, 7).map(({ installationId }) => installationId);
  expect(second[0]).toBe(["a", "b", "c"][first.length % 3]);
});

test("no share is exceeded, nothing is taken twice, and released lanes are free again", () => {
  const lists = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 90 })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lists, fc.integer({ min: 2, max: 64 }), (shapes, lanes) => {
      const inUse = new LanesInUse();
      const waiting = board(
        ...shapes.map(([version, org, size], n) => many(size, `i${n}`, `v${version}`, `o${org}`)),
      );
      const total = shapes.reduce((sum, [, , size]) => sum + size, 0);
      const picked = pickFairly(waiting, inUse, lanes);
      const left = [...waiting.values()].reduce((sum, list) => sum + list.length, 0);
      expect(picked.length + left).toBe(total);
      const free = lanes - picked.length;
      for (const key of ["installationId", "versionId", "organizationId"] as const)
        for (const one of new Set(picked.map((each) => each[key])))
          // Later picks of others may have used what was free when it got its last lane.
          expect(picked.filter((each) => each[key] === one).length).toBeLessThan(lanes);
      expect(free).toBeGreaterThanOrEqual(1);
      for (const each of picked) inUse.release(each);
      expect(inUse.total).toBe(0);
    }),
  );
});

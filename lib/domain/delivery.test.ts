/** A model of many workers, crashes and answers on a virtual clock: what must be true of every delivery at every moment. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_INTERRUPTIONS, RETRY_WAITS_MS, type DeliveryAnswer } from "./backoff";
import {
  acceptDelivery,
  claimDelivery,
  endDelivery,
  extendClaim,
  giveBack,
  replayDelivery,
  settle,
  settleDelivery,
  type Delivery,
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
    { numRuns: 10_000 },
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

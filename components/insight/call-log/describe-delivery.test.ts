import { expect, test } from "vitest";
import type { DeliveryView } from "@/lib/contract/calls/call-summary";
import type { HealthProblem } from "@/lib/contract/insight/health";
import { sampleAttempt } from "@/tests/samples/calls";
import { describeDelivery, describeWait, describeWaiting } from "./describe-delivery";

const running = { state: "RUNNING", instance: { state: "READY" } } as const;
const stopped = { state: "STOPPED", instance: null } as const;
const starting = { state: "RUNNING", instance: { state: "STARTING" } } as const;

const delivery = (changed: Partial<DeliveryView>): DeliveryView => ({
  id: "019ab000-0000-7000-8000-000000000001",
  createdAt: "2026-11-22T12:00:00.000Z",
  state: "PENDING",
  attemptCount: 0,
  attemptsInAll: 0,
  nextAttemptAt: "2026-11-22T12:05:00.000Z",
  attempts: [],
  ...changed,
});

// Guarantee: nobody reads that an event is being sent, or when it will be, while the only part that sends is unavailable.
test("while the worker is unavailable, a delivery waits for it", () => {
  const failed = { attemptCount: 1, attempts: [sampleAttempt({ failure: "It returned 500.", status: 500 })] };
  const open = { attempts: [sampleAttempt({ durationMs: null, status: null })] };
  for (const changed of [{}, failed, open]) {
    const label = describeDelivery(delivery(changed), running, { isWorkerAway: true });
    expect(label).toMatchObject({
      text: expect.stringMatching(/worker is unavailable.*when it is back/),
      isOpen: true,
    });
    expect(label.nextAt).toBeUndefined();
  }
  const delivered = describeDelivery(delivery({ state: "DELIVERED" }), running, { isWorkerAway: true });
  expect(delivered.title).toBe("Delivered");
});

// Guarantee: a delivery has one verdict. One that failed is never shown as accepted.
test("a delivery's verdict follows its state and its newest attempt", () => {
  const failed = { attemptCount: 1, attempts: [sampleAttempt({ failure: "It returned 500.", status: 500 })] };
  const open = { attempts: [sampleAttempt({ durationMs: null, status: null })] };
  const verdict = (
    changed: Partial<DeliveryView>,
    live: Parameters<typeof describeDelivery>[1] = running,
  ) => {
    const { tone, title, isOpen, nextAt } = describeDelivery(delivery(changed), live);
    return { tone, title, isOpen, retried: nextAt !== undefined };
  };
  const waiting = { title: "Waiting for delivery", isOpen: true, retried: false };
  expect(verdict({})).toEqual({ tone: "info", ...waiting });
  expect(verdict({}, stopped)).toEqual({ tone: "warning", ...waiting });
  expect(verdict(failed, starting)).toEqual({ tone: "warning", ...waiting });
  expect(verdict(open)).toEqual({ tone: "info", title: "Delivering", isOpen: true, retried: false });
  expect(verdict(failed)).toEqual({
    tone: "warning",
    title: "Not delivered yet",
    isOpen: true,
    retried: true,
  });
  const settled = { isOpen: false, retried: false };
  expect(verdict({ ...failed, state: "DEAD" })).toEqual({
    tone: "danger",
    title: "Delivery failed",
    ...settled,
  });
  expect(verdict({ ...failed, state: "DELIVERED" })).toEqual({
    tone: "success",
    title: "Delivered",
    ...settled,
  });
  expect(verdict({ state: "ENDED" })).toEqual({ tone: "warning", title: "Subscription ended", ...settled });
});

// Guarantee: while deliveries wait for a stopped installation, the page says so and what sends them.
test("deliveries that something holds back are announced with the reason", () => {
  const pending = { waiting: 2, waitingSince: "2026-11-22T12:00:00.000Z", retrying: 1, nextRetryAt: null };
  expect(describeWaiting(pending, stopped)).toEqual({
    title: "2 deliveries are waiting",
    text: "The installation isn't running. They will be sent after you start it.",
    since: pending.waitingSince,
  });
  expect(describeWaiting({ ...pending, waiting: 1 }, starting)?.text).toMatch(
    /No instance .* It will be sent/,
  );
  const paused: HealthProblem = {
    cause: "deliveries-paused",
    eventType: "policy.issued",
    since: "2026-11-22T12:00:00.000Z",
    count: 10,
    reason: "It returned 500.",
    code: null,
  };
  const health = { status: "DEGRADED" as const, problems: [paused] };
  expect(describeWaiting(pending, { ...running, health })?.text).toMatch(
    /event type failed, .* only a few of that type/,
  );
  expect(describeWaiting(pending, running)).toBeUndefined();
  expect(describeWaiting({ ...pending, waiting: 0 }, stopped)).toBeUndefined();
});

test("an attempt says how long its delivery waited, and for what", () => {
  const startedAt = "2026-11-22T12:12:30.000Z";
  const dueAt = "2026-11-22T12:00:00.000Z";
  expect(describeWait({ dueAt, startedAt, heldBy: "NOT_RUNNING" })).toBe(
    "Waited 12 minutes, because the installation wasn't running",
  );
  expect(describeWait({ dueAt, startedAt, heldBy: "NOT_READY" })).toContain(
    "no instance of the app was ready",
  );
  expect(describeWait({ dueAt: null, startedAt, heldBy: null })).toBeUndefined();
});

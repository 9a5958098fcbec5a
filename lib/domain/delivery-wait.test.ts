import { expect, test } from "vitest";
import { explainWait } from "./delivery-wait";

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

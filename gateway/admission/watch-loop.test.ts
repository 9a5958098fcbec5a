import { expect, test } from "vitest";
import { watchLoop } from "./take-turns";

function createLoop() {
  const times = { idle: 500, active: 500 };
  const isBusy = watchLoop(() => ({ ...times }));
  return {
    isBusy,
    run: ({ idle = 0, active = 0 }) => {
      times.idle += idle;
      times.active += active;
    },
  };
}

test("a loop is busy after a period with hardly any idle time", () => {
  const { isBusy, run } = createLoop();
  expect(isBusy()).toBe(false);
  run({ active: 50 });
  expect(isBusy()).toBe(false);
  run({ active: 50 });
  expect(isBusy()).toBe(true);
});

test("it is busy until a period has idle time again", () => {
  const { isBusy, run } = createLoop();
  run({ active: 100 });
  expect(isBusy()).toBe(true);
  run({ active: 60, idle: 20 });
  expect(isBusy()).toBe(true);
  run({ active: 20 });
  expect(isBusy()).toBe(false);
});

// Guarantee: after an idle night, the first request doesn't find the gateway busy with what happened before.
test("what happened long ago doesn't count", () => {
  const { isBusy, run } = createLoop();
  run({ active: 100 });
  expect(isBusy()).toBe(true);
  run({ idle: 60_000, active: 5 });
  expect(isBusy()).toBe(false);
});

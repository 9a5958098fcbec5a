import { expect, onTestFinished, test, vi } from "vitest";
import { createTurns, watchPasses } from "./take-turns";
import { explainRefusal } from "./work-class";

/** An event loop whose passes a test makes. */
function createLoop({ isBusy = false } = {}) {
  let scheduled: (() => void)[] = [];
  const loop = { ...watchPasses((run) => void scheduled.push(run)), isBusy: () => isBusy };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (connections = 0) => {
    await settle();
    for (let at = 0; at < connections; at += 1) loop.noteConnection();
    const due = scheduled;
    scheduled = [];
    for (const run of due) run();
    await settle();
  };
  return { loop, pass };
}

/** Asks for turns, and notes the keys that get one. */
function createCallers({ loop, pass }: ReturnType<typeof createLoop>) {
  const turns = createTurns(loop, 16);
  const started: string[] = [];
  const ask = (key: string, count: number) => {
    for (let at = 0; at < count; at += 1)
      void turns.enter(key).then((turn) => "leave" in turn && started.push(key));
  };
  const next = async (connections?: number) => {
    await pass(connections);
    return started.splice(0).toSorted();
  };
  return { ask, next };
}

// Guarantee: however many requests of an organization wait, another one's starts in the same pass as the first of them.
test("few requests of an organization start in a pass, and those of others beside them", async () => {
  const { ask, next } = createCallers(createLoop());
  ask("loud", 128);
  ask("neighbor", 1);
  expect(await next()).toEqual(["loud", "loud", "neighbor"]);
  expect(await next()).toEqual(["loud"]);
  ask("neighbor", 1);
  expect(await next()).toEqual(["loud", "neighbor"]);
});

// Guarantee: a caller with a few requests at once is not slowed, and has no advantage over one that waits.
test("requests start at once unless one waits for its turn", async () => {
  const { loop, pass } = createLoop();
  const turns = createTurns(loop, 16);
  const countStarted = () =>
    Array.from({ length: 20 }, () => turns.tryEnter("calm")).filter((turn) => "leave" in turn).length;
  expect(countStarted()).toBe(16);
  await pass();
  for (let at = 0; at < 8; at += 1) void turns.enter("loud");
  expect(countStarted()).toBe(1);
});

// Guarantee: a caller that fills the event loop adds milliseconds to the requests of others, because most of its own wait outside.
test("while the event loop is busy, few young requests of a caller are in progress", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { loop, pass } = createLoop({ isBusy: true });
  const turns = createTurns(loop, 16);
  const begin = () => {
    const turn = turns.tryEnter("loud");
    return "leave" in turn ? turn : undefined;
  };
  const begun = Array.from({ length: 16 }, begin);
  expect(begun).not.toContain(undefined);
  await pass();
  expect(begin()).toBeUndefined();
  expect(turns.tryEnter("neighbor")).toHaveProperty("leave");
  begun[0]?.leave();
  expect(begin()).toBeDefined();
  expect(begin()).toBeUndefined();
  // Whatever their app does with them, it takes no time from others.
  vi.advanceTimersByTime(100);
  await pass();
  expect(Array.from({ length: 20 }, begin).filter((turn) => turn !== undefined)).toHaveLength(16);
});

// Guarantee: when thousands connect at once, a new connection waits for milliseconds, because nothing else fills the passes.
test("while connections arrive, nothing starts for a while", async () => {
  const { ask, next } = createCallers(createLoop());
  ask("loud", 128);
  const counts: number[] = [];
  for (let at = 0; at < 100; at += 1) counts.push((await next(1)).length);
  const started = counts.reduce((sum, count) => sum + count, 0);
  expect(started).toBeGreaterThan(0);
  expect(started).toBeLessThanOrEqual(10);
  await next();
  expect(await next()).toEqual(["loud"]);
});

// Guarantee: a caller that gets no turn in time isn't told about a limit that it didn't reach.
test("waiting too long for a turn is explained with the load of the platform", () => {
  expect(explainRefusal("calls", undefined, { full: "key", retryAfterSeconds: 1 })).toMatchObject({
    code: "OVERLOADED",
    status: 503,
    detail: expect.stringMatching(/busy/),
  });
});

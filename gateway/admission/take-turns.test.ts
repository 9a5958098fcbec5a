import { expect, test } from "vitest";
import { explainRefusal } from "./explain-refusal";
import { createTurns, watchPasses } from "./take-turns";

/** An event loop whose passes a test makes. */
function createLoop() {
  let scheduled: (() => void)[] = [];
  const passes = watchPasses((run) => void scheduled.push(run));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (connections = 0) => {
    await settle();
    for (let at = 0; at < connections; at += 1) passes.noteConnection();
    const due = scheduled;
    scheduled = [];
    for (const run of due) run();
    await settle();
  };
  return { passes, pass };
}

/** Asks for turns, and notes the keys that get one. */
function createCallers({ passes, pass }: ReturnType<typeof createLoop>) {
  const turns = createTurns(passes, 16);
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
  const { passes, pass } = createLoop();
  const turns = createTurns(passes, 16);
  const countStarted = () =>
    Array.from({ length: 20 }, () => turns.tryEnter("calm")).filter((turn) => "leave" in turn).length;
  expect(countStarted()).toBe(16);
  await pass();
  for (let at = 0; at < 8; at += 1) void turns.enter("loud");
  expect(countStarted()).toBe(1);
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

// Guarantee: who gets no turn in time isn't told about a limit that it didn't reach.
test("waiting too long for a turn is explained with the load of the platform", () => {
  expect(explainRefusal("calls", undefined, { full: "key", retryAfterSeconds: 1 })).toMatchObject({
    code: "OVERLOADED",
    status: 503,
    detail: expect.stringMatching(/busy/),
  });
});

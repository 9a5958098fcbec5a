import fc from "fast-check";
import { expect, test } from "vitest";
import { virtualClock } from "@/tests/virtual-clock";
import { createShare, type Place, type Refusal, type ShareLimits } from "./share";

const LIMITS: ShareLimits = { total: 4, perKey: 2, queue: 6, queuePerKey: 3, longestWaitMs: 1_000 };

interface Asked {
  key: string;
  entry: Place | Refusal | undefined;
}

function ask(share: ReturnType<typeof createShare>, key: string, gone?: AbortSignal): Asked {
  const asked: Asked = { key, entry: undefined };
  void share.enter(key, gone).then((entry) => (asked.entry = entry));
  return asked;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const leave = ({ entry }: Asked) => (entry !== undefined && "leave" in entry ? entry.leave() : undefined);

// Guarantee: a key can neither take all places nor keep the others waiting.
test("a key that uses up its share leaves places for others, who take turns", async () => {
  const share = createShare(LIMITS, virtualClock().clock);
  const greedy = Array.from({ length: 10 }, () => ask(share, "greedy"));
  const [one, two, three] = ["one", "two", "three"].map((key) => ask(share, key));
  await settle();
  expect(greedy.filter(({ entry }) => entry !== undefined && "leave" in entry)).toHaveLength(2);
  expect(greedy.filter(({ entry }) => entry !== undefined && "full" in entry)).toHaveLength(5);
  expect(greedy.at(-1)?.entry).toMatchObject({ full: "key" });
  expect([one?.entry, two?.entry]).toEqual([
    expect.objectContaining({ waitedMs: 0 }),
    expect.objectContaining({ waitedMs: 0 }),
  ]);
  expect(three?.entry).toBeUndefined();
  // The greedy key's next waiter came first, but the key had already had its turn.
  leave(greedy[0] ?? { key: "", entry: undefined });
  leave(greedy[1] ?? { key: "", entry: undefined });
  await settle();
  expect(three?.entry).toHaveProperty("leave");
  expect(share.count().taken).toBe(4);
});

// Guarantee: a request that would wait too long is refused, immediately where that is known in advance, and learns when
// to try again.
test("waiting is bounded, and a refusal says when to try again", async () => {
  const { clock, advance } = virtualClock();
  const share = createShare({ ...LIMITS, perKey: 1 }, clock);
  const [holder, waiter] = [ask(share, "a"), ask(share, "a")];
  advance(600);
  const late = ask(share, "a");
  await settle();
  expect(late.entry).toEqual({ full: "key", retryAfterSeconds: 2 });
  advance(400);
  await settle();
  expect(waiter.entry).toMatchObject({ full: "key" });
  advance(9_000);
  leave(holder);
  expect(share.count()).toEqual({ taken: 0, waiting: 0, keys: 0 });
});

test("a limit that changes ends no place, and waiters notice it when a place is given back", async () => {
  let perKey = 2;
  const share = createShare({ ...LIMITS, perKey: () => perKey }, virtualClock().clock);
  const [first, second] = [ask(share, "key"), ask(share, "key")];
  perKey = 1;
  const third = ask(share, "key");
  await settle();
  expect([first?.entry, second?.entry]).toEqual([
    expect.objectContaining({ waitedMs: 0 }),
    expect.objectContaining({ waitedMs: 0 }),
  ]);
  leave(first);
  await settle();
  expect(third.entry, "one place is taken, as many as the key may have").toBeUndefined();
  perKey = 2;
  const fourth = ask(share, "key");
  leave(second);
  await settle();
  expect([third.entry, fourth.entry]).toEqual([
    expect.objectContaining({ waitedMs: 0 }),
    expect.objectContaining({ waitedMs: 0 }),
  ]);
});

test("a caller that is gone leaves the queue", async () => {
  const share = createShare({ ...LIMITS, perKey: 1 }, virtualClock().clock);
  const holder = ask(share, "a");
  const controller = new AbortController();
  ask(share, "a", controller.signal);
  await settle();
  expect(share.count().waiting).toBe(1);
  controller.abort();
  expect(share.count().waiting).toBe(0);
  ask(share, "a", controller.signal);
  leave(holder);
  expect(share.count()).toEqual({ taken: 0, waiting: 0, keys: 0 });
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ enter: fc.constantFrom("a", "b", "c", "d") }) },
  { weight: 3, arbitrary: fc.record({ leave: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ advance: fc.integer({ min: 1, max: 700 }) }) },
);

// Guarantee: no bound is ever exceeded, no place is free while somebody could take it, nobody waits longer than the
// longest wait, turns are fair, and nothing is left when all are gone.
test("holds its bounds in any order of events", async () => {
  const limits = fc.record({
    total: fc.integer({ min: 1, max: 5 }),
    perKey: fc.integer({ min: 1, max: 3 }),
    queue: fc.integer({ min: 0, max: 8 }),
    queuePerKey: fc.integer({ min: 0, max: 4 }),
    longestWaitMs: fc.constant(1_000),
  });
  await fc.assert(
    fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async (bounds, steps) => {
      const { clock, advance } = virtualClock();
      const share = createShare(bounds, clock);
      const all: (Asked & { at: number })[] = [];
      const inside = () => all.filter(({ entry }) => entry !== undefined && "leave" in entry);
      const waiting = () => all.filter(({ entry }) => entry === undefined);
      for (const each of steps) {
        const before = new Set(inside());
        const waitedBefore = waiting();
        if ("enter" in each) all.push(Object.assign(ask(share, each.enter), { at: clock.now() }));
        if ("advance" in each) advance(each.advance);
        const leaving = "leave" in each ? inside()[each.leave % Math.max(1, inside().length)] : undefined;
        if (leaving !== undefined) {
          leave(leaving);
          leave(leaving);
          all.splice(all.indexOf(leaving), 1);
        }
        await settle();
        expect(share.count()).toMatchObject({ taken: inside().length, waiting: waiting().length });
        expect(inside().length).toBeLessThanOrEqual(bounds.total);
        expect(waiting().length).toBeLessThanOrEqual(bounds.queue);
        for (const key of ["a", "b", "c", "d"]) {
          const held = inside().filter((one) => one.key === key).length;
          const queued = waiting().filter((one) => one.key === key);
          expect(held).toBeLessThanOrEqual(bounds.perKey);
          expect(queued.length).toBeLessThanOrEqual(bounds.queuePerKey);
          const [oldest] = queued;
          if (oldest === undefined) continue;
          expect(clock.now() - oldest.at).toBeLessThanOrEqual(bounds.longestWaitMs);
          const isFull = held >= bounds.perKey || inside().length >= bounds.total;
          expect(isFull, `${key} waits beside a free place`).toBe(true);
        }
        // Within a key, first come is first served.
        const served = inside().filter((one) => !before.has(one) && waitedBefore.includes(one));
        for (const one of served)
          expect(waiting().some((other) => other.key === one.key && other.at < one.at)).toBe(false);
      }
      advance(2_000);
      await settle();
      expect(waiting()).toEqual([]);
      for (const each of inside()) leave(each);
      expect(share.count()).toEqual({ taken: 0, waiting: 0, keys: 0 });
    }),
    { numRuns: 500 },
  );
});

// Guarantee: under steady load, keys get the same number of places, however many they ask for.
test("keys that wait are served in turn", async () => {
  const share = createShare(
    { ...LIMITS, total: 1, perKey: 1, queue: 100, queuePerKey: 100 },
    virtualClock().clock,
  );
  const holder = ask(share, "z");
  const order: string[] = [];
  for (const key of ["a", "a", "a", "a", "b", "b", "c"])
    void share.enter(key).then((entry) => {
      order.push(key);
      if ("leave" in entry) entry.leave();
    });
  await settle();
  leave(holder);
  await settle();
  expect(order).toEqual(["a", "b", "c", "a", "b", "a", "a"]);
});

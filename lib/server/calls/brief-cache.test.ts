import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBriefCache } from "./serve-state";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIFE_MS = 500;
let clock = 0;

function given(limits: { maxEntries?: number; maxBytes?: number } = {}) {
  clock = 0;
  return createBriefCache<string>({
    lifeMs: LIFE_MS,
    maxEntries: 100,
    maxBytes: 1_000,
    now: () => clock,
    ...limits,
  });
}

function pass(ms: number): void {
  clock += ms;
  vi.advanceTimersByTime(ms);
}

// Guarantee (P11): no entry is found after its life, even if the process is too busy to run timers.
test("an entry is found for its life and no longer", () => {
  const cache = given();
  cache.set("key", "value");
  pass(LIFE_MS / 2 - 1);
  expect(cache.get("key")).toBe("value");
  cache.set("other", "value");
  clock += LIFE_MS;
  expect(cache.get("other")).toBeUndefined();
});

// Guarantee: a decrypted secret does not stay in memory because no one asks for it again.
test("an entry is let go of without being asked for, and an empty cache runs no timer", () => {
  const cache = given();
  cache.set("key", "secret");
  pass(LIFE_MS);
  clock = 0;
  expect(cache.get("key")).toBeUndefined();
  pass(LIFE_MS);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["entries", { maxEntries: 10 }, 0],
  ["bytes", { maxBytes: 100 }, 10],
])("a flood of keys is bounded in %s", (_what, limits, bytes) => {
  const cache = given(limits);
  for (let index = 0; index < 1_000; index += 1) {
    cache.set(`key ${index}`, "value");
    cache.grow(bytes);
  }
  const kept = Array.from({ length: 1_000 }, (_, index) => cache.get(`key ${index}`)).filter(Boolean);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(12);
});

import { expect, test, vi } from "vitest";
import { shareReads } from "./shared-reads";

test("callers that ask for the same key share one read, also after it", async () => {
  const shared = shareReads<number>({ max: 10, freshMs: 60_000 });
  const read = vi.fn(async () => read.mock.calls.length);
  expect(await Promise.all([shared("a", read), shared("a", read)])).toEqual([1, 1]);
  expect(await shared("a", read)).toBe(1);
  expect(await shared("b", read)).toBe(2);
});

test("a failed read is forgotten, and all who share it learn of it", async () => {
  const shared = shareReads<number>({ max: 10, freshMs: 60_000 });
  const fail = () => Promise.reject(new Error("away"));
  const both = await Promise.allSettled([shared("a", fail), shared("a", fail)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await shared("a", async () => 1)).toBe(1);
});

test("a result is read again when it is no longer fresh", async () => {
  const shared = shareReads<number>({ max: 10, freshMs: 60_000 });
  const read = vi.fn(async () => read.mock.calls.length);
  await shared("a", read, 20);
  await vi.waitFor(async () => expect(await shared("a", read, 20)).toBeGreaterThan(1));
});

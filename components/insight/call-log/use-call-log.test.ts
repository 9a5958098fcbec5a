import { expect, test } from "vitest";
import type { CallPage } from "@/lib/contract/insight/call";
import { callId, sampleCallRow, sampleDelivery } from "@/tests/samples/calls";
import { findNew, mergeCalls } from "./use-call-log";

const row = (number: number, changed = {}) => sampleCallRow({ id: callId(number), ...changed });
const ids = (pages: readonly CallPage[]) =>
  pages.map(({ calls }) => calls.map(({ id }) => Number(id.slice(-2))));

const pages: CallPage[] = [
  { calls: [row(9), row(7), row(5)], next: callId(5), position: "1.1:1:" },
  { calls: [row(4), row(2)], next: callId(2) },
];

// Guarantee: each call is in the list once and in its place, in whatever order it is reported.
test("calls are changed in place, added by time, and dropped", () => {
  const merged = mergeCalls(pages, [row(8), row(10), row(4, { status: 500 }), row(10)], [callId(7)]);
  expect(ids(merged)).toEqual([
    [10, 9, 8, 5],
    [4, 2],
  ]);
  expect(merged[1]?.calls[0]?.status).toBe(500);
  expect(findNew(pages, [row(9), row(10)]).map(({ id }) => id)).toEqual([callId(10)]);
});

test("a call that is older than the first page waits until its page is loaded", () => {
  expect(ids(mergeCalls(pages.slice(0, 1), [row(3)]))).toEqual([[9, 7, 5]]);
  expect(ids(mergeCalls([{ calls: [row(9)] }], [row(3)]))).toEqual([[9, 3]]);
});

test("a later attempt says what became of the earlier ones", () => {
  const dead = row(5, { delivery: sampleDelivery({ state: "PENDING", attemptCount: 1 }) });
  const [page] = mergeCalls(
    [{ calls: [dead] }],
    [row(9, { delivery: sampleDelivery({ state: "DELIVERED" }) })],
  );
  expect(page?.calls.map(({ delivery }) => delivery?.state)).toEqual(["DELIVERED", "DELIVERED"]);
});

// Guarantee: a list that is open for hours does not grow without end, and what was dropped can be loaded again.
test("a live list is bounded", () => {
  const calls = Array.from({ length: 510 }, (_, index) => row(index));
  const [page] = mergeCalls([{ calls: [], position: "1.1:1:" }], calls);
  expect(page?.calls.length).toBe(500);
  expect(page?.next).toBe(callId(10));
});

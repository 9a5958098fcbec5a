import { expect, test } from "vitest";
import type { LogPage } from "@/lib/contract/insight/app-log";
import { sampleLine } from "@/tests/samples/insight";
import { listEntries, mergeEntries } from "./use-log";

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => sampleLine(from + index));
const page = (from: number, to: number, next = true): LogPage => ({
  entries: range(from, to),
  next: next ? sampleLine(from).id : undefined,
});
const texts = (pages: readonly LogPage[]) =>
  listEntries(pages).map((entry) => entry.kind === "line" && entry.text);

test("entries enter the page that they belong to, once", () => {
  const late = { ...sampleLine(4), id: sampleLine(4).id.replace("-1-", "-0-"), text: "late" };
  const merged = mergeEntries([page(6, 8), page(3, 5)], [sampleLine(9), sampleLine(7), late], {
    trims: true,
  });
  expect(merged.count).toBe(2);
  expect(texts(merged.pages)).toEqual([
    "line 3",
    "late",
    ...[4, 5, 6, 7, 8, 9].map((number) => `line ${number}`),
  ]);
});

test("what is older than everything that is loaded comes with its page", () => {
  const merged = mergeEntries([page(6, 8)], [sampleLine(2)], { trims: true });
  expect(texts(merged.pages)).toEqual(["line 6", "line 7", "line 8"]);
  expect(texts(mergeEntries([page(6, 8, false)], [sampleLine(2)], { trims: true }).pages)[0]).toBe("line 2");
});

// Guarantee: a page that is open for days doesn't grow without bound, and what it drops can be loaded again.
test("a list that is followed drops its oldest entries", () => {
  const { pages } = mergeEntries([page(4_000, 9_000), page(1, 3_999, false)], range(9_001, 9_100), {
    trims: true,
  });
  expect(pages).toHaveLength(1);
  expect(pages[0]?.entries).toHaveLength(4_500);
  expect(pages[0]?.next).toBe(sampleLine(4_601).id);
  const read = mergeEntries([page(4_000, 9_000)], range(9_001, 9_100), { trims: false });
  expect(read.pages[0]?.entries).toHaveLength(5_101);
});

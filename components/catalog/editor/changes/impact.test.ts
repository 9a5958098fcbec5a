import { expect, test } from "vitest";
import { countInstallations, summarizeImpact } from "./impact";

test("counts of installations read naturally", () => {
  expect([countInstallations(3, 5), countInstallations(0, 1), countInstallations(1, 1)]).toEqual([
    "3 of 5 installations",
    "0 of 1 installations",
    "The only installation",
  ]);
  expect([countInstallations(2, 2), countInstallations(5, 5)]).toEqual([
    "Both installations",
    "All 5 installations",
  ]);
});

test("each state of the impact has its own summary", () => {
  const impact = { revision: 1, installations: 0, affected: 0, asksToOpen: 0, mustFill: [], broken: false };
  const summaries = [
    summarizeImpact(impact),
    summarizeImpact({ ...impact, installations: 1 }),
    summarizeImpact({ ...impact, installations: 4 }),
    summarizeImpact({ ...impact, installations: 4, affected: 3 }),
    summarizeImpact({ ...impact, broken: true }),
  ];
  expect(summaries).toEqual([
    "There are no installations yet.",
    "The only installation can upgrade without new answers.",
    "All 4 installations can upgrade without new answers.",
    "3 of 4 installations may need new answers to upgrade.",
    expect.stringContaining("has errors"),
  ]);
});

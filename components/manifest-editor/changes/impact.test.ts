import { expect, test } from "vitest";
import { impactSummary, installationsOf } from "./impact";

test("counts read as people say them", () => {
  expect([installationsOf(3, 5), installationsOf(0, 1), installationsOf(1, 1)]).toEqual([
    "3 of 5 installations",
    "0 of 1 installations",
    "The one installation",
  ]);
  expect([installationsOf(2, 2), installationsOf(5, 5)]).toEqual([
    "Both installations",
    "All 5 installations",
  ]);
});

test("each state of the impact has its sentence", () => {
  const impact = { revision: 1, installations: 0, affected: 0, mustFill: [], broken: false };
  const sentences = [
    impactSummary(impact),
    impactSummary({ ...impact, installations: 1 }),
    impactSummary({ ...impact, installations: 4 }),
    impactSummary({ ...impact, installations: 4, affected: 3 }),
    impactSummary({ ...impact, broken: true }),
  ];
  expect(sentences).toEqual([
    expect.stringContaining("Nobody has installed"),
    "The one installation could upgrade as it is.",
    "All 4 installations could upgrade as they are.",
    "3 of 4 installations may need an answer to upgrade.",
    expect.stringContaining("has errors"),
  ]);
});

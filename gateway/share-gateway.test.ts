import { expect, test } from "vitest";
import { createPacer } from "./share-gateway";

// Guarantee: few refusals are answered at once; those of a flood are spread, so that they leave time for accepted requests, and
// none is held for long.
test("a flood of refusals is spread, and an occasional one isn't held", () => {
  let time = 0;
  const pace = createPacer(() => time);
  const held = Array.from({ length: 2_000 }, pace);
  expect(held.filter((ms) => ms === 0)).toHaveLength(100);
  const later = held.slice(100);
  expect(later[0]).toBe(1_000);
  expect(later[500]).toBe(1_500);
  expect(Math.max(...later, ...Array.from({ length: 5_000 }, pace))).toBe(3_000);
  time = 60_000;
  expect(pace()).toBe(0);
});

import { expect, test } from "vitest";
import { newSpanId } from "./traces";

// Guarantee: ids come from one buffer, and none comes twice.
test("span ids are random, beyond what is drawn at once", () => {
  const ids = Array.from({ length: 2_000 }, newSpanId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[0-9a-f]{16}$/.test(id))).toEqual([]);
});

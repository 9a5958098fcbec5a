import { expect, test } from "vitest";
import { isStray, type Owner } from "./stray";

const container = { handle: "c1", versionId: "v1" };
const owner: Owner = {
  versionId: "v1",
  handle: "c1",
  state: "READY",
  secondsSinceEnd: null,
};
const isLeft = (...owners: Owner[]) => isStray(container, owners, new Set());

test("a container belongs to its instance, and to a start that has not stored its handle yet", () => {
  expect(isLeft(owner)).toBe(false);
  expect(isLeft({ ...owner, state: "STARTING", handle: null })).toBe(false);
  expect(isLeft()).toBe(true);
  expect(isLeft({ ...owner, handle: "c2" })).toBe(true);
  expect(isLeft({ ...owner, versionId: "v2", state: "STARTING", handle: null })).toBe(true);
});

test("calls in progress may finish on an instance that is draining", () => {
  expect(isLeft({ ...owner, state: "DRAINING" })).toBe(false);
});

test("whoever ends an instance may finish that", () => {
  const ended = { ...owner, state: "STOPPED" as const };
  expect(isLeft({ ...ended, secondsSinceEnd: 14 })).toBe(false);
  expect(isLeft({ ...ended, secondsSinceEnd: 16 })).toBe(true);
});

test("an instance of automatic checks belongs to them while they run", () => {
  expect(isStray({ ...container, versionId: "e1" }, [], new Set(["e1"]))).toBe(false);
  expect(isStray({ ...container, versionId: "e1", handle: "c2" }, [owner], new Set())).toBe(true);
});

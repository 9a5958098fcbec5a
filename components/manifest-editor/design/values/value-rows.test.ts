import { describe, expect, test } from "vitest";
import { keepRows, type ValueRow } from "./value-rows";

const item = (text: string) => ({ text, value: text });
const rows = (...texts: string[]) => keepRows([], texts.map(item));
const after = (before: readonly ValueRow[], ...texts: string[]) => keepRows(before, texts.map(item));
const ids = (list: readonly ValueRow[]) => list.map(({ id }) => id);

describe("a row keeps its id", () => {
  const before = rows("a", "b", "c", "d");
  const [a, b, c, d] = ids(before);

  test("while it is edited", () => {
    expect(ids(after(before, "a", "bx", "c", "d"))).toEqual([a, b, c, d]);
  });

  test("when another row is removed", () => {
    expect(ids(after(before, "b", "c", "d"))).toEqual([b, c, d]);
    expect(ids(after(before, "a", "c", "d"))).toEqual([a, c, d]);
    expect(ids(after(before, "a", "b", "c"))).toEqual([a, b, c]);
  });

  test("when it moves", () => {
    expect(ids(after(before, "d", "a", "b", "c"))).toEqual([d, a, b, c]);
    expect(ids(after(before, "b", "c", "d", "a"))).toEqual([b, c, d, a]);
  });

  test("when others are added", () => {
    const longer = ids(after(before, "a", "x", "y", "b", "c", "d"));
    expect([longer[0], ...longer.slice(3)]).toEqual([a, b, c, d]);
    expect(new Set(longer).size).toBe(6);
  });
});

test("a blank row becomes the first pasted row", () => {
  const before = rows("a", "", "b");
  const [a, blank, b] = ids(before);
  const pasted = ids(after(before, "a", "x", "y", "z", "b"));
  expect([pasted[0], pasted[1], pasted[4]]).toEqual([a, blank, b]);
  expect(new Set(pasted).size).toBe(5);
});

test("unchanged rows are the same objects, so that they are not rendered again", () => {
  const before = rows("a", "b", "c");
  const next = after(before, "a", "x", "c");
  expect(next[0]).toBe(before[0]);
  expect(next[1]).not.toBe(before[1]);
  expect(next[2]).toBe(before[2]);
  expect(after(before, "a", "b", "c")).toBe(before);
});

test("equal values have different ids", () => {
  expect(new Set(ids(after(rows("a", "a"), "a", "a", "a"))).size).toBe(3);
});

test("items of any type are rows", () => {
  const odd = keepRows([], [null, 5, "x", [], { text: 1 }]);
  expect(odd.map(({ isRecord, text }) => [isRecord, text])).toEqual([
    [false, undefined],
    [false, undefined],
    [false, undefined],
    [false, undefined],
    [true, 1],
  ]);
});

import { expect, test } from "vitest";
import { baseOf, copyKeeper, findCopies, type LocalCopy } from "./local-copy";

/** As much of a browser's storage as is used. */
function storageOf(limit = Infinity): Storage {
  const items: Record<string, string> = {};
  const hidden = { enumerable: false };
  Object.defineProperties(items, {
    getItem: { ...hidden, value: (key: string) => (Object.hasOwn(items, key) ? items[key] : null) },
    removeItem: { ...hidden, value: (key: string) => delete items[key] },
    setItem: {
      ...hidden,
      value: (key: string, value: string) => {
        if (value.length > limit) throw new DOMException("full", "QuotaExceededError");
        items[key] = value;
      },
    },
  });
  // The double has what the code under test calls.
  return items as unknown as Storage;
}

const copy: LocalCopy = {
  text: "one two",
  revision: 3,
  baseVersionId: null,
  base: { at: 4, removed: "", inserted: "two" },
  sent: [],
};

test("a copy is found again by its own tab, and by another once its tab is gone", () => {
  const storage = storageOf();
  copyKeeper(
    () => storage,
    "listing",
    () => "a",
  ).keep(copy);
  const foundBy = (tab: string, alive: boolean) =>
    findCopies(
      () => storage,
      "listing",
      tab,
      () => alive,
    );
  expect(foundBy("a", true)).toEqual([{ ...copy, discard: expect.any(Function) }]);
  expect(foundBy("b", true)).toEqual([]);
  const [orphan] = foundBy("b", false);
  expect(orphan?.text).toBe("one two");
  orphan?.discard();
  expect(Object.keys(storage)).toEqual([]);
});

test("a copy gives back the text that it was made from", () => {
  expect(baseOf(copy)).toBe("one ");
});

test("copies of other listings are not touched, and what is no copy is thrown away", () => {
  const storage = storageOf();
  storage.setItem("manifest-copy:other:a", "{}");
  storage.setItem("manifest-copy:listing:a", "{ broken");
  storage.setItem("manifest-copy:listing:b", JSON.stringify({ ...copy, text: 7 }));
  const copies = findCopies(
    () => storage,
    "listing",
    "a",
    () => false,
  );
  expect(copies).toEqual([]);
  expect(Object.keys(storage)).toEqual(["manifest-copy:other:a"]);
});

test("a storage that is full or closed is answered, not thrown", () => {
  const full = storageOf(10);
  expect(
    copyKeeper(
      () => full,
      "listing",
      () => "a",
    ).keep(copy),
  ).toBe(false);
  const closed = () => {
    throw new DOMException("closed", "SecurityError");
  };
  const keeper = copyKeeper(closed, "listing", () => "a");
  expect(keeper.keep(copy)).toBe(false);
  expect(() => keeper.forget()).not.toThrow();
  expect(findCopies(closed, "listing", "a", () => false)).toEqual([]);
});

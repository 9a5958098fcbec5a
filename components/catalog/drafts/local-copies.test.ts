import { expect, test } from "vitest";
import { LocalCopies, type LocalCopy, restoreBase } from "./local-copies";

/** The parts of the browser's storage that are used. */
function fakeStorage(limit = Infinity): Storage {
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
  // The fake has every method that the code under test calls.
  return items as unknown as Storage;
}

const copy: LocalCopy = {
  text: "one two",
  revision: 3,
  baseVersionId: null,
  base: { at: 4, removed: "", inserted: "two" },
  sent: [],
};

const copiesOf = (storage: Storage | undefined, tab?: string) =>
  new LocalCopies(storage, "manifest-copy:listing", () => tab);

test("a copy is found by its own tab, and by another one once its tab is closed", () => {
  const storage = fakeStorage();
  copiesOf(storage, "a").store(copy);
  expect(copiesOf(storage, "a").find(() => true)).toEqual({ ...copy, discard: expect.any(Function) });
  expect(copiesOf(storage, "b").find(() => true)).toBeUndefined();
  const orphan = copiesOf(storage, "b").find(() => false);
  expect(orphan?.text).toBe("one two");
  orphan?.discard();
  expect(Object.keys(storage)).toEqual([]);
});

test("a tab's own copy comes before those of closed tabs, and discarding it keeps it", () => {
  const storage = fakeStorage();
  copiesOf(storage, "a").store({ ...copy, text: "one orphan" });
  copiesOf(storage, "b").store(copy);
  const own = copiesOf(storage, "b").find(() => false);
  expect(own?.text).toBe("one two");
  own?.discard();
  expect(Object.keys(storage)).toHaveLength(2);
  copiesOf(storage, "b").remove();
  expect(copiesOf(storage, "b").find(() => false)?.text).toBe("one orphan");
});

test("the text that a copy is based on can be restored", () => {
  expect(restoreBase(copy)).toBe("one ");
});

test("unreadable copies are removed; copies of other listings are not touched", () => {
  const storage = fakeStorage();
  storage.setItem("manifest-copy:other:a", "{}");
  storage.setItem("manifest-copy:listing:a", "{ broken");
  storage.setItem("manifest-copy:listing:b", JSON.stringify({ ...copy, text: 7 }));
  expect(copiesOf(storage, "a").find(() => false)).toBeUndefined();
  expect(Object.keys(storage)).toEqual(["manifest-copy:other:a"]);
});

test("a full or missing storage stores nothing and throws nothing", () => {
  expect(copiesOf(fakeStorage(10), "a").store(copy)).toBe(false);
  const missing = copiesOf(undefined, "a");
  expect(missing.store(copy)).toBe(false);
  expect(() => missing.remove()).not.toThrow();
  expect(missing.find(() => false)).toBeUndefined();
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { findDifference, NO_HISTORY, recordChange, redoChange, undoChange } from "./change-history";

/** The history of a text that was typed step by step, `pause` ms apart. */
function typed(texts: readonly string[], pause: number, merge?: string) {
  return texts.slice(1).reduce((history, text, index) => {
    const note = { what: `step ${index}`, time: index * pause, merge };
    return recordChange(history, texts[index] ?? "", text, note);
  }, NO_HISTORY);
}

test("quick keystrokes in one field are undone together", () => {
  expect(undoChange(typed(["", "a", "ab", "abc"], 300, "field"), "abc")?.text).toBe("");
});

test("keystrokes after a pause, or in another field, are undone separately", () => {
  expect(undoChange(typed(["", "a", "ab"], 2_000, "field"), "ab")?.text).toBe("a");
  const first = typed(["", "a"], 0, "one");
  const both = recordChange(first, "a", "ab", { what: "x", merge: "other", time: 1 });
  expect(undoChange(both, "ab")?.text).toBe("a");
});

test("typing after an undo or a redo is a separate change", () => {
  const history = typed(["", "a", "ab"], 10, "field");
  const undone = undoChange(history, "ab");
  const redone = undone && redoChange(undone.history, undone.text);
  expect(redone?.text).toBe("ab");
  const further =
    redone && recordChange(redone.history, "ab", "abc", { what: "x", merge: "field", time: 20 });
  expect(further && undoChange(further, "abc")?.text).toBe("ab");
});

test("a change clears redo, and the same text is not a change", () => {
  const undone = undoChange(typed(["", "a"], 10), "a");
  const other = undone && recordChange(undone.history, "", "b", { what: "x", time: 50 });
  expect(other && redoChange(other, "b")).toBeUndefined();
  expect(recordChange(NO_HISTORY, "a", "a", { what: "x", time: 0 })).toBe(NO_HISTORY);
});

test("typing that the user reverted leaves no change", () => {
  expect(typed(["a", "ab", "a"], 10, "field")).toEqual(NO_HISTORY);
});

test("there is nothing to undo at the start, and nothing to redo at the end", () => {
  expect(undoChange(NO_HISTORY, "a")).toBeUndefined();
  expect(redoChange(typed(["", "a"], 10), "a")).toBeUndefined();
});

test("a thousand changes are kept, and the oldest are dropped", () => {
  const texts = Array.from({ length: 1_200 }, (_, index) => String(index));
  expect(typed(texts, 10).done).toHaveLength(1_000);
});

test("a difference is the smallest replacement that turns one text into the other", () => {
  const piece = fc.array(fc.constantFrom("a", "b"), { maxLength: 30 }).map((parts) => parts.join(""));
  const filler = fc.constantFrom("", "x", "ab".repeat(5_000));
  fc.assert(
    fc.property(filler, piece, piece, filler, (start, one, other, end) => {
      const [before, after] = [start + one + end, start + other + end];
      const { at, removed, inserted } = findDifference(before, after);
      expect(before.slice(0, at) + inserted + before.slice(at + removed.length)).toBe(after);
      expect(before.slice(at, at + removed.length)).toBe(removed);
      expect(Math.min(removed.length, inserted.length) === 0 || removed[0] !== inserted[0]).toBe(true);
      expect(Math.min(removed.length, inserted.length) === 0 || removed.at(-1) !== inserted.at(-1)).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});

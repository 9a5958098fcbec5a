import { EditorState, Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findDifference } from "@/lib/domain/json-text/change-history";
import { countedText, lineEndOf } from "./text-format";

const stateOf = (text: string) =>
  EditorState.create({ doc: text, extensions: EditorState.lineSeparator.of(lineEndOf(text) ?? "\n") });

const texts = fc
  .array(fc.constantFrom("\r\n", "\n", "\r", "a", '"', "{", "\u2028", "\0", "\ud83d", "\ude00", "\ufeff"))
  .map((parts) => parts.join(""));

// Guarantee: a text that nobody edits comes out of CodeMirror byte for byte.
test("any text survives, whatever its line ends", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(stateOf(text).sliceDoc()).toBe(text);
    }),
  );
});

// Guarantee: what changes from outside arrives as it is, as one change.
test("a difference takes one text to the other", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const state = stateOf(before);
      const lineEnd = lineEndOf(before) ?? "\n";
      if (lineEnd !== (lineEndOf(after) ?? lineEnd)) return;
      const { at, removed, inserted } = findDifference(state.doc.toString(), countedText(after, lineEnd));
      const changes = { from: at, to: at + removed.length, insert: Text.of(inserted.split("\n")) };
      expect(state.update({ changes }).state.sliceDoc()).toBe(after);
    }),
  );
});

// Guarantee: editing a line of a text with mixed line ends leaves the others alone.
test("typing in a mixed text changes its line alone", () => {
  const state = stateOf("{\r\n  1,\n  2\r}");
  const edited = state.update({ changes: { from: 5, to: 6, insert: "7" } }).state.sliceDoc();
  expect(edited).toBe("{\r\n  7,\n  2\r}");
});

// Guarantee: a new line in a text of Windows ends like its other lines.
test("a new line of a CRLF text is CRLF", () => {
  const state = stateOf("{\r\n}");
  expect(state.update({ changes: { from: 1, insert: Text.of(["", "  "]) } }).state.sliceDoc()).toBe(
    "{\r\n  \r\n}",
  );
});

import { EditorState, Text } from "@codemirror/state";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findDifference } from "@/lib/domain/platform/json-text/change-history";
import { detectLineEnding, normalizeLineEndings } from "@/lib/domain/platform/json-text/text-format";

const stateOf = (text: string) =>
  EditorState.create({ doc: text, extensions: EditorState.lineSeparator.of(detectLineEnding(text) ?? "\n") });

const texts = fc
  .array(fc.constantFrom("\r\n", "\n", "\r", "a", '"', "{", "\u2028", "\0", "\ud83d", "\ude00", "\ufeff"))
  .map((parts) => parts.join(""));

test("CodeMirror returns an unedited text byte for byte, whatever its line endings", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(stateOf(text).sliceDoc()).toBe(text);
    }),
  );
});

test("an edit from outside is applied exactly, as one change", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const state = stateOf(before);
      const lineEnding = detectLineEnding(before) ?? "\n";
      if (lineEnding !== (detectLineEnding(after) ?? lineEnding)) return;
      const { at, removed, inserted } = findDifference(
        state.doc.toString(),
        normalizeLineEndings(after, lineEnding),
      );
      const changes = { from: at, to: at + removed.length, insert: Text.of(inserted.split("\n")) };
      expect(state.update({ changes }).state.sliceDoc()).toBe(after);
    }),
  );
});

test("typing in a text with mixed line endings changes only its line", () => {
  const state = stateOf("{\r\n  1,\n  2\r}");
  const edited = state.update({ changes: { from: 5, to: 6, insert: "7" } }).state.sliceDoc();
  expect(edited).toBe("{\r\n  7,\n  2\r}");
});

test("a new line in a CRLF text ends with CRLF", () => {
  const state = stateOf("{\r\n}");
  expect(state.update({ changes: { from: 1, insert: Text.of(["", "  "]) } }).state.sliceDoc()).toBe(
    "{\r\n  \r\n}",
  );
});

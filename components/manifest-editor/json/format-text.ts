import { format } from "jsonc-parser";
import { lineEndOf } from "./line-ends";

/** The text with two blanks a level and an item a line; only what is between the tokens changes. */
export function formatText(text: string): string {
  const eol = lineEndOf(text) ?? "\n";
  const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol });
  // One pass: a megabyte has tens of thousands of edits, and each would copy it.
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.offset - other.offset)) {
    parts.push(text.slice(at, edit.offset), edit.content);
    at = edit.offset + edit.length;
  }
  return parts.join("") + text.slice(at);
}

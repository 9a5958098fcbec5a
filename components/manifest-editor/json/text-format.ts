import { format } from "jsonc-parser";

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

/** CodeMirror counts a line end as one character. So that a text survives byte for byte, it is told which one that is. */

type LineEnd = "\n" | "\r\n";

/**
 * `\r\n` where every line ends so. Otherwise `\n`, and a `\r` stays a character of its line. Undefined where there is
 * only one line.
 */
export function lineEndOf(text: string): LineEnd | undefined {
  if (!/[\r\n]/.test(text)) return undefined;
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? "\n" : "\r\n";
}

/** The text as CodeMirror counts it: with a `\n` for each line end. */
export function countedText(text: string, lineEnd: LineEnd): string {
  return lineEnd === "\n" ? text : text.replaceAll("\r\n", "\n");
}

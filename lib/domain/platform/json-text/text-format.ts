/** Line endings and formatting of JSON text. */
import { format } from "jsonc-parser";

type LineEnding = "\n" | "\r\n";

/**
 * `\r\n` if every line ends with it. Otherwise `\n`, and a `\r` is a character of its line. Undefined for a single line.
 */
export function detectLineEnding(text: string): LineEnding | undefined {
  if (!/[\r\n]/.test(text)) return undefined;
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? "\n" : "\r\n";
}

/** The text as CodeMirror counts it, with one character per line ending. */
export function normalizeLineEndings(text: string, lineEnding: LineEnding): string {
  return lineEnding === "\n" ? text : text.replaceAll("\r\n", "\n");
}

/** Indents by two spaces and puts each item on its own line; changes only whitespace. */
export function formatText(text: string): string {
  const eol = detectLineEnding(text) ?? "\n";
  const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol });
  // One pass: a megabyte has tens of thousands of edits, and applying each would copy the text.
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.offset - other.offset)) {
    parts.push(text.slice(at, edit.offset), edit.content);
    at = edit.offset + edit.length;
  }
  return parts.join("") + text.slice(at);
}

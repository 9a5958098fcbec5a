/** CodeMirror counts a line end as one character. So that a text survives byte for byte, it is told which one that is. */

export type LineEnd = "\n" | "\r\n";

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

/** Our issues as CodeMirror's: from lines and columns to the stretch of text that is underlined. */
import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { Issue } from "@/lib/contract/problem";

/** A string, a word or number, or the one character that is there. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[\w.+-]+|\S/uy;
/** A longer underline says no more, and hides the text. */
const LONGEST = 200;

export function problemsIn(doc: Text, issues: readonly Issue[]): Diagnostic[] {
  return issues.map((issue) => {
    const { from, to } = stretchAt(doc, issue.line ?? 1, issue.column ?? 1);
    const { message, hint, severity = "error" } = issue;
    return { from, to, severity, message, renderMessage: () => draw(message, hint) };
  });
}

/** Clamped: a place that is not in the text is the nearest one that is. */
export function offsetAt(doc: Text, line: number, column: number): number {
  const { from, length } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return from + Math.min(Math.max(column - 1, 0), length);
}

function stretchAt(doc: Text, line: number, column: number): { from: number; to: number } {
  const from = offsetAt(doc, line, column);
  const { to, text, from: start } = doc.lineAt(from);
  TOKEN.lastIndex = from - start;
  const length = TOKEN.exec(text)?.[0].length ?? 0;
  return { from, to: Math.min(from + Math.min(length, LONGEST), to) };
}

/** Text alone: a message may quote what a hostile manifest says. */
function draw(message: string, hint: string | undefined): Node {
  const box = document.createElement("span");
  const said = document.createElement("bdi");
  said.textContent = message;
  box.append(said);
  if (hint !== undefined) {
    const help = document.createElement("bdi");
    help.className = "cm-hint";
    help.textContent = hint;
    box.append(help);
  }
  return box;
}

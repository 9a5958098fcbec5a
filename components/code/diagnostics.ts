/** Converts issues to CodeMirror diagnostics: from lines and columns to the underlined range. */
import type { Diagnostic } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { Issue } from "@/lib/contract/problem";

/** A string, a word or number, or a single character. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[\w.+-]+|\S/uy;
const MAX_UNDERLINE = 200;

export function toDiagnostics(doc: Text, issues: readonly Issue[]): Diagnostic[] {
  return issues.map((issue) => {
    const { line = 1, column = 1, message, hint, severity = "error" } = issue;
    const from = toOffset(doc, line, column);
    const { to, text, from: start } = doc.lineAt(from);
    TOKEN.lastIndex = from - start;
    const length = Math.min(TOKEN.exec(text)?.[0].length ?? 0, MAX_UNDERLINE);
    return {
      from,
      to: Math.min(from + length, to),
      severity,
      message,
      renderMessage: () => renderMessage(message, hint),
    };
  });
}

/** Clamps locations outside the text. */
export function toOffset(doc: Text, line: number, column: number): number {
  const { from, length } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return from + Math.min(Math.max(column - 1, 0), length);
}

/** Text nodes only: a message may quote a hostile manifest. */
function renderMessage(message: string, hint: string | undefined): Node {
  const box = document.createElement("span");
  const text = document.createElement("bdi");
  text.textContent = message;
  box.append(text);
  if (hint !== undefined) {
    const help = document.createElement("bdi");
    help.className = "cm-hint";
    help.textContent = hint;
    box.append(help);
  }
  return box;
}

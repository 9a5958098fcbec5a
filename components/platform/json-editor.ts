/** CodeMirror's features that every JSON editor has. Undo is not one of them: the manifest editor's history covers more than text. */
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension, Text } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Issue } from "@/lib/contract/platform/problem";
import { codeStyle, visibleCharacters } from "./code-style";

interface JsonEditorNames {
  label: string;
  /** The id of the text that explains how to leave the editor by keyboard. */
  describedBy: string;
}

export function jsonExtensions({ label, describedBy }: JsonEditorNames): Extension {
  return [
    codeStyle(),
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    bracketMatching(),
    indentOnInput(),
    visibleCharacters(),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    search({ top: true }),
    keymap.of([...searchKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-describedby": describedBy,
      // For accessibility checkers; it can be focused without.
      tabindex: "0",
      // Phone keyboards must not autocorrect keys and values.
      autocorrect: "off",
      autocapitalize: "off",
      spellcheck: "false",
    }),
    // Pasted lines get the document's line endings.
    EditorView.clipboardInputFilter.of((text, state) => text.replace(/\r\n?|\n/g, state.lineBreak)),
  ];
}

// Converts issues to CodeMirror diagnostics: from lines and columns to the underlined range.

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

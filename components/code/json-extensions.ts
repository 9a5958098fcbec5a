/** CodeMirror's features that every JSON editor has. Undo is not one of them: the manifest editor's history covers more than text. */
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
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

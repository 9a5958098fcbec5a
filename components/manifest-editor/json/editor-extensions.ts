/** CodeMirror's features in the JSON tab. Undo is not one of them: the store's history covers design and text. */
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
import type { EditorStore } from "../model/editor-store";
import { codeStyle, visibleCharacters } from "./code-style";

/** The id of the text that explains how to leave the editor by keyboard. */
export const KEYBOARD_HINT_ID = "json-editor-keys";

export function editorExtensions(store: EditorStore): Extension {
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
      "aria-label": "Manifest as JSON",
      "aria-describedby": KEYBOARD_HINT_ID,
      // For accessibility checkers; it can be focused without.
      tabindex: "0",
      // Phone keyboards must not autocorrect keys and values.
      autocorrect: "off",
      autocapitalize: "off",
      spellcheck: "false",
    }),
    // Pasted lines get the document's line endings.
    EditorView.clipboardInputFilter.of((text, state) => text.replace(/\r\n?|\n/g, state.lineBreak)),
    EditorView.domEventHandlers({
      // From the browser's menu; the page handles the keys.
      beforeinput: ({ inputType }) => {
        if (inputType === "historyUndo") store.undo();
        else if (inputType === "historyRedo") store.redo();
        else return false;
        return true;
      },
    }),
  ];
}

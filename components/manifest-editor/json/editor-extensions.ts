/** What CodeMirror can do in the JSON tab. Its own history is left out: undo is the store's, over design and text alike. */
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
import { codeLook } from "./code-style";
import { visibleCharacters } from "./code-style";

export function editorExtensions(store: EditorStore): Extension {
  return [
    codeLook(),
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
      "aria-describedby": TAB_HINT,
      // It can have the focus without; only tools that look for it do not know.
      tabindex: "0",
      // A phone's keyboard must not "correct" keys and values.
      autocorrect: "off",
      autocapitalize: "off",
      spellcheck: "false",
    }),
    // A pasted line ends like the lines that are there.
    EditorView.clipboardInputFilter.of((text, state) => text.replace(/\r\n?|\n/g, state.lineBreak)),
    EditorView.domEventHandlers({
      // From the browser's own menu; the keys are the page's.
      beforeinput: ({ inputType }) => {
        if (inputType === "historyUndo") store.undo();
        else if (inputType === "historyRedo") store.redo();
        else return false;
        return true;
      },
    }),
  ];
}

/** The id of the words that say how to leave the editor by keyboard. */
export const TAB_HINT = "json-editor-keys";

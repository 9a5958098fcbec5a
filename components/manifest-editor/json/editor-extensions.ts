/** CodeMirror's features in the JSON tab. Undo is the page's: the store's history covers design and text. */
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { jsonExtensions } from "@/components/code/json-extensions";
import type { EditorStore } from "../model/editor-store";

/** The id of the text that explains how to leave the editor by keyboard. */
export const KEYBOARD_HINT_ID = "json-editor-keys";

export function editorExtensions(store: EditorStore): Extension {
  return [
    jsonExtensions({ label: "Manifest as JSON", describedBy: KEYBOARD_HINT_ID }),
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

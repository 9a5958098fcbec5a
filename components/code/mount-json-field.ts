/** A JSON editor that a form owns: CodeMirror with its own undo. Loaded when it is first shown. */
import { history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import type { Issue } from "@/lib/contract/problem";
import { toDiagnostics } from "./diagnostics";
import { jsonExtensions } from "./json-extensions";

export interface JsonFieldOptions {
  label: string;
  describedBy: string;
  text: string;
  onChange: (text: string) => void;
  /** Ctrl+Enter, or Command+Enter on a Mac. */
  onSubmit: () => void;
}

export interface MountedJsonField {
  setText: (text: string) => void;
  setIssues: (issues: readonly Issue[]) => void;
  focus: () => void;
  remove: () => void;
}

const fromOutside = Annotation.define<boolean>();

export function mountJsonField(parent: HTMLElement, options: JsonFieldOptions): MountedJsonField {
  const { label, describedBy, text, onChange, onSubmit } = options;
  const submit = () => {
    onSubmit();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        // Otherwise, CodeMirror inserts a line.
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: submit }])),
        history(),
        keymap.of(historyKeymap),
        jsonExtensions({ label, describedBy }),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ state, docChanged, transactions }) => {
          const isTyped = docChanged && !transactions.some((each) => each.annotation(fromOutside) === true);
          if (isTyped) onChange(state.sliceDoc());
        }),
      ],
    }),
  });
  // Tab leaves the editor, as everywhere on the page; Ctrl+M makes it indent.
  view.setTabFocusMode(true);
  return {
    setText: (wanted) => {
      if (wanted === view.state.sliceDoc()) return;
      const changes = { from: 0, to: view.state.doc.length, insert: wanted };
      view.dispatch({ changes, annotations: fromOutside.of(true) });
    },
    setIssues: (issues) => view.dispatch(setDiagnostics(view.state, toDiagnostics(view.state.doc, issues))),
    focus: () => view.focus(),
    remove: () => view.destroy(),
  };
}

/** Binds CodeMirror to the editor's store: what is typed goes there at once, what happens elsewhere arrives as one change. */
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, Text, type StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { findDifference } from "@/lib/domain/json-text/change-history";
import type { EditorStore } from "../model/editor-store";
import { editorExtensions } from "./editor-extensions";
import { offsetAt, problemsIn } from "./diagnostics";
import { countedText, lineEndOf } from "./text-format";

export interface Place {
  line: number;
  column: number;
  /** Characters that are selected. */
  selected: number;
}

interface Kept {
  text: string;
  cursor: number;
  scroll: StateEffect<unknown>;
  jump: number;
}

/** Where people were when they left the tab. */
const left = new WeakMap<EditorStore, Kept>();
const fromStore = Annotation.define<boolean>();
const wrapping = new Compartment();
/** Below it long lines are wrapped. */
const NARROW = 640;

/** Draws the store's text into `parent`; answers how to take it away again. */
export function mountJsonEditor(parent: HTMLElement, store: EditorStore, onMove: (place: Place) => void) {
  const before = left.get(store);
  let { text } = store.state().outline;
  let lineEnd = lineEndOf(text) ?? "\n";
  let shownIssues: unknown;
  let followedJump = before?.jump ?? 0;

  const stateOf = (cursor: number) => {
    const most = countedText(text, lineEnd).length;
    return EditorState.create({
      doc: text,
      selection: { anchor: Math.min(cursor, most) },
      extensions: [
        EditorState.lineSeparator.of(lineEnd),
        editorExtensions(store),
        wrapping.of(parent.clientWidth < NARROW ? EditorView.lineWrapping : []),
        listener,
      ],
    });
  };
  const listener = EditorView.updateListener.of(({ state, docChanged, selectionSet, transactions }) => {
    const isTyped = docChanged && !transactions.some((each) => each.annotation(fromStore) === true);
    if (isTyped) {
      text = state.sliceDoc();
      store.replaceText(text, { what: "Edit JSON", merge: "json" });
    }
    if (docChanged || selectionSet) onMove(placeOf(state));
  });

  const view = new EditorView({
    parent,
    state: stateOf(before?.cursor ?? 0),
    scrollTo: before?.text === text ? before.scroll : undefined,
  });
  // Tab leads out, as everywhere on the page; Ctrl-M makes it indent.
  view.setTabFocusMode(true);

  function showText(wanted: string): void {
    if (wanted === text) return;
    const otherEnd = (lineEndOf(wanted) ?? lineEnd) !== lineEnd;
    text = wanted;
    if (otherEnd) {
      lineEnd = lineEndOf(wanted) ?? lineEnd;
      view.setState(stateOf(view.state.selection.main.head));
      onMove(placeOf(view.state));
      return;
    }
    const { at, removed, inserted } = findDifference(view.state.doc.toString(), countedText(text, lineEnd));
    view.dispatch({
      changes: { from: at, to: at + removed.length, insert: Text.of(inserted.split("\n")) },
      annotations: fromStore.of(true),
      effects: view.hasFocus ? EditorView.scrollIntoView(at) : [],
    });
  }

  function follow(): void {
    const { outline, issues, checkedText, jump, tab } = store.state();
    showText(outline.text);
    if (shownIssues !== issues && checkedText === text) {
      shownIssues = issues;
      view.dispatch(setDiagnostics(view.state, problemsIn(view.state.doc, issues)));
    }
    if (jump === undefined || jump.count === followedJump || tab !== "json") return;
    followedJump = jump.count;
    goTo(view, jump.line, jump.column);
  }

  follow();
  onMove(placeOf(view.state));
  const unsubscribe = store.subscribe(follow);
  const observer = new ResizeObserver(([entry]) => {
    const isNarrow = (entry?.contentRect.width ?? 0) < NARROW;
    if (isNarrow !== view.lineWrapping)
      view.dispatch({ effects: wrapping.reconfigure(isNarrow ? EditorView.lineWrapping : []) });
  });
  observer.observe(parent);

  return () => {
    unsubscribe();
    observer.disconnect();
    const cursor = view.state.selection.main.head;
    left.set(store, { text, cursor, scroll: view.scrollSnapshot(), jump: followedJump });
    view.destroy();
  };
}

function placeOf({ doc, selection }: EditorState): Place {
  const { head, from, to } = selection.main;
  const line = doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1, selected: to - from };
}

function goTo(view: EditorView, line: number, column: number): void {
  const anchor = offsetAt(view.state.doc, line, column);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  // Whoever walks through the tabs stays there.
  if (document.activeElement?.getAttribute("role") !== "tab") view.focus();
}

/** Binds CodeMirror to the store: typed text goes there at once, and other edits arrive as one change. */
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, Text, type StateEffect } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { findDifference } from "@/lib/domain/json-text/change-history";
import type { EditorStore } from "../model/editor-store";
import { toOffset, toDiagnostics } from "@/components/code/diagnostics";
import { editorExtensions } from "./editor-extensions";
import { normalizeLineEndings, detectLineEnding } from "@/lib/domain/json-text/text-format";

export interface CursorPosition {
  line: number;
  column: number;
  /** The number of selected characters. */
  selected: number;
}

interface LastView {
  text: string;
  cursor: number;
  scroll: StateEffect<unknown>;
  jump: number;
}

/** The cursor and scroll position when the tab was left. */
const lastViews = new WeakMap<EditorStore, LastView>();
const fromStore = Annotation.define<boolean>();
const wrapping = new Compartment();
/** Below this width, long lines wrap. */
const NARROW_PX = 640;

/** Returns a function that removes the editor. */
export function mountJsonEditor(
  parent: HTMLElement,
  store: EditorStore,
  onMove: (position: CursorPosition) => void,
) {
  const before = lastViews.get(store);
  let { text } = store.getState().outline;
  let lineEnding = detectLineEnding(text) ?? "\n";
  let shownIssues: unknown;
  let lastJump = before?.jump ?? 0;

  const createState = (cursor: number) => {
    const length = normalizeLineEndings(text, lineEnding).length;
    return EditorState.create({
      doc: text,
      selection: { anchor: Math.min(cursor, length) },
      extensions: [
        EditorState.lineSeparator.of(lineEnding),
        editorExtensions(store),
        wrapping.of(parent.clientWidth < NARROW_PX ? EditorView.lineWrapping : []),
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
    if (docChanged || selectionSet) onMove(cursorPosition(state));
  });

  const view = new EditorView({
    parent,
    state: createState(before?.cursor ?? 0),
    scrollTo: before?.text === text ? before.scroll : undefined,
  });
  // Tab leaves the editor, as everywhere on the page; Ctrl+M makes it indent.
  view.setTabFocusMode(true);

  function showText(wanted: string): void {
    if (wanted === text) return;
    const hasOtherEnding = (detectLineEnding(wanted) ?? lineEnding) !== lineEnding;
    text = wanted;
    if (hasOtherEnding) {
      lineEnding = detectLineEnding(wanted) ?? lineEnding;
      view.setState(createState(view.state.selection.main.head));
      onMove(cursorPosition(view.state));
      return;
    }
    const { at, removed, inserted } = findDifference(
      view.state.doc.toString(),
      normalizeLineEndings(text, lineEnding),
    );
    view.dispatch({
      changes: { from: at, to: at + removed.length, insert: Text.of(inserted.split("\n")) },
      annotations: fromStore.of(true),
      effects: view.hasFocus ? EditorView.scrollIntoView(at) : [],
    });
  }

  function update(): void {
    const { outline, issues, checkedText, jump, tab } = store.getState();
    showText(outline.text);
    if (shownIssues !== issues && checkedText === text) {
      shownIssues = issues;
      view.dispatch(setDiagnostics(view.state, toDiagnostics(view.state.doc, issues)));
    }
    if (jump === undefined || jump.count === lastJump || tab !== "json") return;
    lastJump = jump.count;
    goTo(view, jump.line, jump.column);
  }

  update();
  onMove(cursorPosition(view.state));
  const unsubscribe = store.subscribe(update);
  const observer = new ResizeObserver(([entry]) => {
    const isNarrow = (entry?.contentRect.width ?? 0) < NARROW_PX;
    if (isNarrow !== view.lineWrapping)
      view.dispatch({ effects: wrapping.reconfigure(isNarrow ? EditorView.lineWrapping : []) });
  });
  observer.observe(parent);

  return () => {
    unsubscribe();
    observer.disconnect();
    const cursor = view.state.selection.main.head;
    lastViews.set(store, { text, cursor, scroll: view.scrollSnapshot(), jump: lastJump });
    view.destroy();
  };
}

function cursorPosition({ doc, selection }: EditorState): CursorPosition {
  const { head, from, to } = selection.main;
  const line = doc.lineAt(head);
  return { line: line.number, column: head - line.from + 1, selected: to - from };
}

function goTo(view: EditorView, line: number, column: number): void {
  const anchor = toOffset(view.state.doc, line, column);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  // Keep the focus of keyboard users who are on the tab list.
  if (document.activeElement?.getAttribute("role") !== "tab") view.focus();
}

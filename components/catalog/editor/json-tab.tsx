"use client";

import { setDiagnostics } from "@codemirror/lint";
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  type StateEffect,
  Text,
} from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { WandSparkles } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { jsonExtensions, toDiagnostics, toOffset } from "@/components/platform/json-editor";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/code-block";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import { findDifference } from "@/lib/domain/platform/json-text/change-history";
import {
  detectLineEnding,
  formatText,
  normalizeLineEndings,
} from "@/lib/domain/platform/json-text/text-format";
import { type EditorStore, useEditor, useEditorStore } from "./model/editor-store";

/** The manifest as text, with problems underlined. */
export function JsonTab() {
  const store = useEditorStore();
  const host = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<CursorPosition>({ line: 1, column: 1, selected: 0 });
  useEffect(() => {
    if (host.current !== null) return mountJsonEditor(host.current, store, setCursor);
  }, [store]);
  return (
    <section
      aria-label="JSON"
      className="flex h-[max(22rem,calc(100dvh-15rem))] min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface shadow-low has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent-text"
    >
      <Toolbar cursor={cursor} />
      <div ref={host} className="min-h-0 flex-1" />
    </section>
  );
}

/** These leave it unclear where a value starts and ends, so the text can't be formatted. */
const UNFORMATTABLE = new Set(["BROKEN_JSON", "TOO_DEEP", "TOO_LARGE", "BYTE_ORDER_MARK"]);

function Toolbar({ cursor }: { cursor: CursorPosition }) {
  const store = useEditorStore();
  const text = useEditor((state) => state.outline.text);
  const canFormat = useEditor(({ outline }) => !outline.blocked.some(({ code }) => UNFORMATTABLE.has(code)));
  const format = () => {
    const formatted = formatText(text);
    if (formatted === text) store.notify("The text is already formatted.");
    else if (new TextEncoder().encode(formatted).length > MANIFEST_LIMITS.bytes)
      store.notify("Not formatted: the formatted text would exceed 1 MiB.");
    else store.replaceText(formatted, { what: "Format" });
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-b border-line bg-subtle py-1 pr-1 pl-3">
      <p className="text-small whitespace-nowrap text-ink-soft tabular-nums">
        Line {cursor.line}, column {cursor.column}
        {cursor.selected > 0 && <span className="text-ink-faint"> ({cursor.selected} selected)</span>}
      </p>
      <p id={KEYBOARD_HINT_ID} className="sr-only text-xs text-ink-faint md:not-sr-only">
        Tab leaves the editor; press Ctrl+M to indent with Tab instead. F8 goes to the next problem.
      </p>
      <div className="ml-auto flex items-center gap-1">
        <Button tone="quiet" size="small" isDisabled={!canFormat} onPress={format}>
          <WandSparkles aria-hidden className="size-4" />
          Format
        </Button>
        <CopyButton text={text} label="Copy the JSON" />
      </div>
    </div>
  );
}

// Binds CodeMirror to the store: typed text goes there at once, and other edits arrive as one change.

interface CursorPosition {
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
function mountJsonEditor(
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

// CodeMirror's features in the JSON tab. Undo is the page's: the store's history covers design and text.

/** The id of the text that explains how to leave the editor by keyboard. */
const KEYBOARD_HINT_ID = "json-editor-keys";

function editorExtensions(store: EditorStore): Extension {
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

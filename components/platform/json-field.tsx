"use client";

import { history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from "react";
import { Shortcut } from "@/components/ui/shortcut";
import type { Issue } from "@/lib/contract/platform/problem";
import { jsonExtensions, toDiagnostics } from "./json-editor";

export interface JsonFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onSubmit: () => void;
  /** Underlined in the text, with lines and columns. */
  issues: readonly Issue[];
  /** Shown below the text: what is wrong, or might be. */
  notes?: ReactNode;
  /** Buttons next to the label. */
  actions?: ReactNode;
}

/** JSON as text, with line numbers, colors, brackets and search. */
export function JsonField({ label, value, onChange, onSubmit, issues, notes, actions }: JsonFieldProps) {
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<MountedJsonField>(undefined);
  const hint = useId();
  const describe = useEffectEvent(() => ({ label, describedBy: hint, text: value }));
  const handleChange = useEffectEvent((text: string) => onChange(text));
  const handleSubmit = useEffectEvent(() => onSubmit());
  useEffect(() => {
    if (host.current === null) return;
    const field = mountJsonField(host.current, {
      ...describe(),
      onChange: (text) => handleChange(text),
      onSubmit: () => handleSubmit(),
    });
    mounted.current = field;
    return () => field.remove();
  }, []);
  useEffect(() => mounted.current?.setText(value), [value]);
  const showIssues = useEffectEvent(() => mounted.current?.setIssues(issues));
  const shown = JSON.stringify([value, issues]);
  useEffect(() => showIssues(), [shown]);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <span aria-hidden className="text-small font-medium text-ink">
          {label}
        </span>
        <span className="flex items-center gap-1">{actions}</span>
      </div>
      <div
        ref={host}
        className="h-80 min-h-40 resize-y overflow-hidden rounded-field border border-line-strong bg-surface has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent-text"
      />
      <p id={hint} className="text-xs leading-5 text-ink-faint">
        <span className="hidden sm:inline">
          <Shortcut keys="Mod+Enter" /> sends. Tab leaves the editor; press Ctrl+M to indent with Tab instead.
        </span>
        <span className="sr-only">F8 goes to the next problem.</span>
      </p>
      {notes}
    </div>
  );
}

// A JSON editor that a form owns: CodeMirror with its own undo. Loaded when it is first shown.

interface JsonFieldOptions {
  label: string;
  describedBy: string;
  text: string;
  onChange: (text: string) => void;
  /** Ctrl+Enter, or Command+Enter on a Mac. */
  onSubmit: () => void;
}

interface MountedJsonField {
  setText: (text: string) => void;
  setIssues: (issues: readonly Issue[]) => void;
  focus: () => void;
  remove: () => void;
}

const fromOutside = Annotation.define<boolean>();

function mountJsonField(parent: HTMLElement, options: JsonFieldOptions): MountedJsonField {
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

"use client";

import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef, useState } from "react";
import { codeStyle, visibleCharacters } from "@/components/platform/code-style";
import { Button } from "@/components/ui/button";
import { detectLineEnding, normalizeLineEndings } from "@/lib/domain/platform/json-text/text-format";
import type { ComparedTexts } from "./draft-choice";

/** From this width on, the texts are side by side. */
const WIDE_PX = 820;

/** Two texts with their differences marked: side by side, or as one text where space is narrow. */
export function TextDifference({ before, after, beforeLabel, afterLabel }: ComparedTexts) {
  const host = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState<boolean>();
  const [whole, setWhole] = useState(false);

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= WIDE_PX));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = host.current;
    if (element === null || wide === undefined) return;
    const show = wide ? showSideBySide : showUnified;
    const texts = { before: comparable(before), after: comparable(after) };
    const view = show(element, { ...texts, beforeLabel, afterLabel, whole });
    return () => view.destroy();
  }, [wide, whole, before, after, beforeLabel, afterLabel]);

  return (
    <div className="min-w-0 overflow-hidden rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-subtle px-3 py-1.5 text-small text-ink-soft">
        <span className="flex min-w-0 items-center gap-2">
          <span aria-hidden className="size-2.5 shrink-0 rounded-xs bg-danger" />
          <span className="truncate">{beforeLabel}</span>
        </span>
        <span className="flex min-w-0 items-center gap-2">
          <span aria-hidden className="size-2.5 shrink-0 rounded-xs bg-success" />
          <span className="truncate">{afterLabel}</span>
        </span>
        <Button tone="quiet" size="small" className="ml-auto" onPress={() => setWhole(!whole)}>
          {whole ? "Show only changes" : "Show all lines"}
        </Button>
      </div>
      <LineEndingNote before={before} after={after} />
      <div ref={host} className="max-h-[65dvh] min-h-24 overflow-auto [&_.cm-editor]:min-w-0" />
    </div>
  );
}

/** Otherwise every line would be marked when only the line endings differ. */
function comparable(text: string): string {
  return normalizeLineEndings(text, detectLineEnding(text) ?? "\n");
}

function LineEndingNote({ before, after }: Pick<ComparedTexts, "before" | "after">) {
  const [one, other] = [detectLineEnding(before), detectLineEnding(after)];
  const differ = one !== undefined && other !== undefined && one !== other;
  if (before !== after && !differ) return null;
  return (
    <p className="border-b border-line px-3 py-2 text-small text-ink-faint">
      {before === after
        ? "Both texts are identical."
        : "One text has Windows line endings (CRLF). They are not marked as changes."}
    </p>
  );
}

interface Shown extends ComparedTexts {
  whole: boolean;
}

const DIFF_CONFIG = { scanLimit: 500, timeout: 200 };

function shared(label: string): Extension[] {
  return [
    codeStyle(),
    lineNumbers(),
    visibleCharacters(),
    EditorView.lineWrapping,
    EditorState.lineSeparator.of("\n"),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
}

function showSideBySide(parent: HTMLElement, { before, after, beforeLabel, afterLabel, whole }: Shown) {
  return new MergeView({
    parent,
    a: { doc: before, extensions: shared(beforeLabel) },
    b: { doc: after, extensions: shared(afterLabel) },
    ...(whole ? {} : { collapseUnchanged: { margin: 3, minSize: 4 } }),
    diffConfig: DIFF_CONFIG,
  });
}

function showUnified(parent: HTMLElement, { before, after, beforeLabel, afterLabel, whole }: Shown) {
  const merged = unifiedMergeView({
    original: EditorState.create({ doc: before, extensions: EditorState.lineSeparator.of("\n") }).doc,
    mergeControls: false,
    // A single deleted line isn't valid JSON, so its keys would be colored as values.
    syntaxHighlightDeletions: false,
    ...(whole ? {} : { collapseUnchanged: { margin: 3, minSize: 4 } }),
    diffConfig: DIFF_CONFIG,
  });
  const label = `${afterLabel}, compared with ${beforeLabel}`;
  return new EditorView({ parent, doc: after, extensions: [shared(label), merged] });
}

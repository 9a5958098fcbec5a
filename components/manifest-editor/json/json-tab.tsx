"use client";

import { WandSparkles } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/code-block";
import { MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";
import { useEditor, useEditorStore } from "../model/use-editor";
import { KEYBOARD_HINT_ID } from "./editor-extensions";
import { mountJsonEditor, type CursorPosition } from "./mount-json-editor";
import { formatText } from "@/lib/domain/json-text/text-format";

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
      <p className="text-[13px] whitespace-nowrap text-ink-soft tabular-nums">
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

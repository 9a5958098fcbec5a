"use client";

import { useEffect, useRef, useState } from "react";
import { useEditor, useEditorStore } from "../model/use-editor";
import { mountJsonEditor, type Place } from "./mount-json-editor";
import { WandSparkles } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/code-block";
import { MANIFEST_LIMITS } from "@/lib/contract/manifest";
import type { EditorState } from "../model/editor-store";
import { useToast } from "../model/toast";
import { TAB_HINT } from "./editor-extensions";
import { formatText } from "./text-format";

/** The manifest as text, with what is wrong underlined where it stands. */
export default function JsonEditor() {
  const store = useEditorStore();
  const host = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>({ line: 1, column: 1, selected: 0 });
  useEffect(() => {
    if (host.current !== null) return mountJsonEditor(host.current, store, setPlace);
  }, [store]);
  return (
    <section
      aria-label="JSON"
      className="flex h-[max(22rem,calc(100dvh-15rem))] min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface shadow-low has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent-text"
    >
      <JsonBar place={place} />
      <div ref={host} className="min-h-0 flex-1" />
    </section>
  );
}

/** What cannot be laid out, since where a value starts and ends is not known. */
const UNREADABLE = new Set(["BROKEN_JSON", "TOO_DEEP", "TOO_LARGE", "BYTE_ORDER_MARK"]);

export function JsonBar({ place }: { place: Place }) {
  const store = useEditorStore();
  const tell = useToast();
  const text = useEditor((state) => state.outline.text);
  const unreadable = useEditor(isUnreadable);
  const format = () => {
    const formatted = formatText(text);
    if (formatted === text) tell("The text is laid out already.");
    else if (new TextEncoder().encode(formatted).length > MANIFEST_LIMITS.bytes)
      tell("Not formatted: with these blanks the text would be larger than 1 MiB.");
    else store.replaceText(formatted, { what: "Format" });
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-b border-line bg-subtle py-1 pr-1 pl-3">
      <p className="text-[13px] whitespace-nowrap text-ink-soft tabular-nums">
        Line {place.line}, column {place.column}
        {place.selected > 0 && <span className="text-ink-faint"> ({place.selected} selected)</span>}
      </p>
      <p id={TAB_HINT} className="sr-only text-xs text-ink-faint md:not-sr-only">
        Tab leaves the text; Ctrl+M makes it indent. F8 goes to the next problem.
      </p>
      <div className="ml-auto flex items-center gap-1">
        <Button tone="quiet" size="small" isDisabled={unreadable} onPress={format}>
          <WandSparkles aria-hidden className="size-4" />
          Format
        </Button>
        <CopyButton text={text} label="Copy the JSON" />
      </div>
    </div>
  );
}

function isUnreadable({ outline }: EditorState): boolean {
  return outline.blocked.some(({ code }) => UNREADABLE.has(code));
}

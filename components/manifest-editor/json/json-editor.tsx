"use client";

import { useEffect, useRef, useState } from "react";
import { useEditorStore } from "../use-editor";
import { JsonBar } from "./json-bar";
import { mountJsonEditor, type Place } from "./mount-json-editor";

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

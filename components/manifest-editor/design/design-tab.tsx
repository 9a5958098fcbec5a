"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { ENTRY_KINDS } from "@/lib/domain/manifest/outline-manifest";
import { BlockedNotice } from "../problems/blocked-notice";
import { useEditor, useEditorStore } from "../use-editor";
import { AppRow } from "./app-row";
import { DeskProvider, type Desk } from "./desk";
import { EntrySection } from "./entry-section";
import { focusRow } from "./focus-row";
import { Inspector } from "./inspector";
import { Palette } from "./palette";
import { PaletteMenu } from "./palette-menu";
import { useJump } from "./use-jump";

/** The manifest as a form of forms: the palette, the list, and an inspector of what is selected. */
export function DesignTab() {
  const store = useEditorStore();
  const isBlocked = useEditor(({ outline }) => outline.blocked.length > 0);
  const [isOpen, setOpen] = useState(false);
  const lastKey = useRef("");
  const desk = useMemo<Desk>(() => {
    const open = (id: string) => {
      if (store.state().selection !== id) store.select(id);
      setOpen(true);
    };
    return {
      lastKey,
      open,
      pick: (id) => (lastKey.current === "" ? open(id) : store.select(id)),
      close: () => {
        setOpen(false);
        focusRow(store, store.state().selection);
      },
    };
  }, [store]);
  return (
    <DeskProvider value={desk}>
      <div
        className="@container/desk pb-8"
        onKeyDownCapture={(event) => (lastKey.current = event.key)}
        onPointerDownCapture={() => (lastKey.current = "")}
      >
        <BlockedNotice />
        <div inert={isBlocked} className={isBlocked ? "opacity-55" : ""}>
          <Columns isOpen={isOpen} />
        </div>
      </div>
    </DeskProvider>
  );
}

/** Where the page is narrow, either the list or the inspector is there. */
function Columns({ isOpen }: { isOpen: boolean }) {
  useJump();
  useEffect(() => {
    if (!isOpen) return;
    const back = document.querySelector<HTMLElement>("[data-back]");
    const isNarrow = back !== null && back.offsetParent !== null;
    if (!isNarrow) return;
    back.scrollIntoView({ block: "center" });
    // Unless a field has the focus by then.
    requestAnimationFrame(() => {
      if (document.activeElement?.closest("[data-inspects]") === null) back.focus();
    });
  }, [isOpen]);
  const ifClosed = isOpen ? "hidden @min-[600px]/desk:block" : "";
  const ifOpen = isOpen ? "" : "hidden @min-[600px]/desk:block";
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 @min-[600px]/desk:grid-cols-[minmax(0,1fr)_minmax(300px,360px)] @min-[920px]/desk:grid-cols-[208px_minmax(0,1fr)_352px] @min-[1080px]/desk:grid-cols-[220px_minmax(0,1fr)_380px]">
      <div className={`min-w-0 @min-[600px]/desk:col-span-2 @min-[920px]/desk:col-span-1 ${ifClosed}`}>
        <div className="@min-[600px]/desk:hidden">
          <PaletteMenu />
        </div>
        <div className="hidden @min-[600px]/desk:block @min-[920px]/desk:sticky @min-[920px]/desk:top-(--editor-top,16px)">
          <h2 className="hidden px-2 pb-1.5 text-[13px] font-medium text-ink @min-[920px]/desk:block">
            Palette
          </h2>
          <Palette />
        </div>
      </div>
      <div className={`@container/list min-w-0 ${ifClosed}`}>
        <div className="flex flex-col gap-5">
          <AppRow />
          {ENTRY_KINDS.map((kind) => (
            <EntrySection key={kind} kind={kind} />
          ))}
        </div>
      </div>
      <div className={`min-w-0 ${ifOpen}`}>
        <div className="rounded-card border border-line bg-surface shadow-low @min-[600px]/desk:sticky @min-[600px]/desk:top-(--editor-top,16px) @min-[600px]/desk:max-h-[calc(100dvh-var(--editor-top,16px)-16px)] @min-[600px]/desk:overflow-y-auto @min-[600px]/desk:overscroll-contain">
          <Inspector />
        </div>
      </div>
    </div>
  );
}

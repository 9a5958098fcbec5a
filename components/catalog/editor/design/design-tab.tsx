"use client";

import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { usePreload } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import { pointerTo } from "@/lib/contract/platform/problem";
import { ENTRY_KINDS } from "@/lib/domain/catalog/manifest/entry";
import { type EditorState, type EditorStore, useEditor, useEditorStore } from "../model/editor-store";
import { findEntry } from "../model/entry-actions";
import { focusCell, focusField, focusRow } from "../model/focus";
import { type Desk, DeskProvider, useDesk } from "./desk";
import { EntrySection } from "./entry-list";
import { AppRow } from "./entry-rows";
import { Inspector } from "./inspector";
import { Palette, PaletteMenu } from "./palette";
import { VirtualRows } from "./virtual-list";

const LATER_PARTS = [VirtualRows];

/** The visual editor: the palette, the list of entries, and the inspector of the selected one. */
export function DesignTab() {
  const store = useEditorStore();
  const isBlocked = useEditor(({ outline }) => outline.blocked.length > 0);
  const [isOpen, setOpen] = useState(false);
  const lastKey = useRef("");
  usePreload(LATER_PARTS);
  const desk = useMemo<Desk>(() => {
    const open = (id: string) => {
      if (store.getState().selection !== id) store.select(id);
      setOpen(true);
    };
    return {
      lastKey,
      open,
      pick: (id) => (lastKey.current === "" ? open(id) : store.select(id)),
      close: () => {
        setOpen(false);
        focusRow(store, store.getState().selection);
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

/** Shown while the manifest can only be edited as text. */
function BlockedNotice() {
  const store = useEditorStore();
  const first = useEditor((state) => state.outline.blocked[0]);
  const canUndo = useEditor((state) => state.history.done.length > 0);
  if (first === undefined) return null;
  return (
    <Notice
      tone="warning"
      className="mb-4"
      title={first.line === undefined ? "The JSON is broken" : `The JSON is broken at line ${first.line}`}
      actions={
        <>
          <Button size="small" onPress={() => store.jumpTo(first)}>
            Open JSON
          </Button>
          {canUndo && (
            <Button size="small" tone="quiet" onPress={store.undo}>
              Undo
            </Button>
          )}
        </>
      }
    >
      {first.message} Below is the last valid state. You can continue here once the JSON is fixed.
    </Notice>
  );
}

/** On narrow pages, shows either the list or the inspector. */
function Columns({ isOpen }: { isOpen: boolean }) {
  useJump();
  useEffect(() => {
    if (!isOpen) return;
    const back = document.querySelector<HTMLElement>("[data-back]");
    const isNarrow = back !== null && back.offsetParent !== null;
    if (!isNarrow) return;
    back.scrollIntoView({ block: "center" });
    // Unless a field gets the focus.
    requestAnimationFrame(() => {
      if (document.activeElement?.closest("[data-inspects]") === null) back.focus();
    });
  }, [isOpen]);
  const ifClosed = isOpen ? "hidden @min-[37.5rem]/desk:block" : "";
  const ifOpen = isOpen ? "" : "hidden @min-[37.5rem]/desk:block";
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 @min-[37.5rem]/desk:grid-cols-[minmax(0,1fr)_minmax(18.75rem,22.5rem)] @min-[57.5rem]/desk:grid-cols-[13rem_minmax(0,1fr)_22rem] @min-[67.5rem]/desk:grid-cols-[13.75rem_minmax(0,1fr)_23.75rem]">
      <div className={`min-w-0 @min-[37.5rem]/desk:col-span-2 @min-[57.5rem]/desk:col-span-1 ${ifClosed}`}>
        <div className="@min-[37.5rem]/desk:hidden">
          <PaletteMenu />
        </div>
        <div className="hidden @min-[37.5rem]/desk:block @min-[57.5rem]/desk:sticky @min-[57.5rem]/desk:top-(--editor-top,16px)">
          <h2 className="hidden px-2 pb-1.5 text-small font-medium text-ink @min-[57.5rem]/desk:block">
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
        <div className="rounded-card border border-line bg-surface shadow-low @min-[37.5rem]/desk:sticky @min-[37.5rem]/desk:top-(--editor-top,16px) @min-[37.5rem]/desk:max-h-[calc(100dvh-var(--editor-top,16px)-16px)] @min-[37.5rem]/desk:overflow-y-auto @min-[37.5rem]/desk:overscroll-contain">
          <Inspector />
        </div>
      </div>
    </div>
  );
}

/** The last jump per store, so that returning to the tab doesn't repeat it. */
const lastJumps = new WeakMap<EditorStore, number>();

/** Focuses the field to which a problem leads. */
function useJump(): void {
  const store = useEditorStore();
  const desk = useDesk();
  const jump = useEditor((state) => state.jump);
  const follow = useEffectEvent((to: NonNullable<EditorState["jump"]>) => {
    if (lastJumps.get(store) === to.count) return;
    lastJumps.set(store, to.count);
    // A jump in the JSON must not take the focus when this tab is opened later.
    if (to.tab !== "design") return;
    const { selection, outline } = store.getState();
    const pointer = to.pointer.slice(
      pointerTo(...(findEntry(outline.entries, selection)?.path ?? [])).length,
    );
    desk.open(selection);
    const cell = /^\/values\/(\d+)(?:\/(text|value))?$/.exec(pointer);
    if (cell !== null) focusCell(selection, Number(cell[1]), cell[2] === "value" ? "value" : "text");
    else focusField(selection, pointer);
  });
  useEffect(() => {
    if (jump !== undefined) follow(jump);
  }, [jump]);
}

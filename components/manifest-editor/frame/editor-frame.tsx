"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { CommandPalette } from "../commands/command-palette";
import { ShortcutSheet } from "../commands/shortcut-sheet";
import { useShortcuts } from "../commands/use-shortcuts";
import { ReleaseDialog } from "../release/release-dialog";
import { ConflictNotice } from "../sync/conflict-notice";
import { PublishedNotice } from "../sync/published-notice";
import { useEditor, type EditedListing } from "../use-editor";
import { DropTarget } from "./drop-target";
import { EditorHeader } from "./editor-header";
import { EditorTabs } from "./editor-tabs";
import { useFrameActions } from "./use-frame-actions";
import { useTabInUrl } from "./use-tab-in-url";

interface EditorFrameProps {
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

/** What stands around the tabs: header, notices, dialogs, shortcuts. */
export function EditorFrame({ onReleased }: EditorFrameProps) {
  const root = useRef<HTMLDivElement>(null);
  const frame = useFrameActions();
  const { actions, commands, dialog, setDialog, fault, setFault, importFiles } = frame;
  useShortcuts(root, commands);
  useTabInUrl();
  const opens = (name: typeof dialog) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : undefined),
  });
  return (
    // The editor takes the room that the page's column leaves free on wide screens.
    <div ref={root} className="@container lg:mx-[calc(-1*clamp(0px,calc((100vw-80rem)/2),18rem))]">
      <EditorHeader actions={actions} />
      {fault !== undefined && (
        <Notice
          tone="danger"
          className="mb-4"
          title={fault.title}
          actions={
            <Button size="small" onPress={() => setFault(undefined)}>
              Close
            </Button>
          }
        >
          {fault.text}
        </Notice>
      )}
      <ConflictNotice />
      <PublishedNotice />
      <EditorTabs />
      <Announcer />
      <DropTarget onFiles={importFiles} />
      <CommandPalette {...opens("palette")} commands={commands} />
      <ShortcutSheet {...opens("shortcuts")} commands={commands} />
      <ReleaseDialog {...opens("release")} onReleased={onReleased} />
    </div>
  );
}

/** What was done last, for screen readers. */
function Announcer() {
  const announcement = useEditor((state) => state.announcement);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {announcement}
    </p>
  );
}

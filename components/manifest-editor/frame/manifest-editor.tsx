"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useRef, useState } from "react";
import { type ManifestDraft, manifestDraft } from "@/lib/contract/manifest-draft";
import { checkDraft, createEditorStore } from "../model/editor-store";
import { tabOf } from "../model/labels";
import { ToastProvider } from "../model/toast";
import { SyncProvider } from "../sync/use-sync";
import { type EditedListing, EditorProvider, useEditor } from "../model/use-editor";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { CommandPalette } from "../commands/command-palette";
import { ShortcutSheet } from "../commands/shortcut-sheet";
import { useShortcuts } from "../commands/use-shortcuts";
import { ReleaseDialog } from "../release/release-dialog";
import { ConflictNotice, PublishedNotice } from "../changes/draft-choices";
import { DropTarget } from "./drop-target";
import { EditorHeader } from "./editor-header";
import { EditorTabs, useTabInUrl } from "./editor-tabs";
import { useFrameActions } from "./use-frame-actions";

interface ManifestEditorProps {
  listing: EditedListing;
  draft: ManifestDraft;
}

/** The manifest of one listing, from its draft to a version. */
function ManifestEditor({ listing, draft }: ManifestEditorProps) {
  return <Editor key={listing.id} listing={listing} draft={draft} />;
}

function Editor({ listing, draft }: ManifestEditorProps) {
  const tab = tabOf(useSearchParams().get("tab"));
  const [store] = useState(() => {
    const created = createEditorStore(draft.text, (outline) => checkDraft(outline, listing.name));
    created.openTab(tab);
    return created;
  });
  const [released, setReleased] = useState<EditedListing["published"]>();
  const edited = useMemo(
    () => ({ ...listing, published: newest(listing.published, released) }),
    [listing, released],
  );
  return (
    <EditorProvider store={store} listing={edited}>
      <ToastProvider>
        <SyncProvider draft={draft}>
          <EditorFrame onReleased={setReleased} />
        </SyncProvider>
      </ToastProvider>
    </EditorProvider>
  );
}

/** Until the page is read again, a release from here is newer than what the page was told. */
function newest(published: EditedListing["published"], released: EditedListing["published"]) {
  if (published === undefined || released === undefined) return released ?? published;
  return published.createdAt > released.createdAt ? published : released;
}

interface StoredDraftEditorProps {
  listing: EditedListing;
  /** The draft as JSON. A server component sends long strings as UTF-8, which turns half a surrogate pair into another character; JSON writes it as an escape. */
  draftJson: string;
}

/** The editor of a draft as the page's server component hands it over. */
export function StoredDraftEditor({ listing, draftJson }: StoredDraftEditorProps) {
  const [draft] = useState(() => manifestDraft.parse(JSON.parse(draftJson)));
  return <ManifestEditor listing={listing} draft={draft} />;
}

interface EditorFrameProps {
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

/** What stands around the tabs: header, notices, dialogs, shortcuts. */
function EditorFrame({ onReleased }: EditorFrameProps) {
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

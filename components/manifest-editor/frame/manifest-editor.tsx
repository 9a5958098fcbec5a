"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { lazyPart, useIdlePreload } from "@/components/ui/lazy-part";
import { Notice } from "@/components/ui/notice";
import { manifestDraft, type ManifestDraft } from "@/lib/contract/manifest-draft";
import { TextDifference } from "../changes/lazy-text-difference";
import { useShortcuts } from "../commands/use-shortcuts";
import { checkDraft, createEditorStore, EDITOR_TABS } from "../model/editor-store";
import { EditorProvider, useEditedListing, useEditor, type EditedListing } from "../model/use-editor";
import { useSyncState } from "@/components/draft-sync/use-sync";
import { SyncProvider } from "../sync/sync-provider";
import { DropTarget } from "./drop-target";
import { EditorHeader } from "./editor-header";
import { EditorTabs, useTabInUrl } from "./editor-tabs";
import { Toast } from "./toast";
import { useFrameActions } from "./use-frame-actions";
import { useKeptFocus } from "./use-kept-focus";

interface ManifestEditorProps {
  listing: EditedListing;
  /** The draft as JSON. Server components send long strings as UTF-8, which replaces lone surrogates; JSON escapes them. */
  draftJson: string;
}

/** Edits a listing's manifest, from the draft to a released version. */
export function ManifestEditor({ listing, draftJson }: ManifestEditorProps) {
  const [draft] = useState(() => manifestDraft.parse(JSON.parse(draftJson)));
  return <Editor key={listing.id} listing={listing} draft={draft} />;
}

function Editor({ listing, draft }: { listing: EditedListing; draft: ManifestDraft }) {
  const query = useSearchParams().get("tab");
  const [store] = useState(() =>
    createEditorStore(
      draft.text,
      (outline) => checkDraft(outline, listing.name),
      EDITOR_TABS.find((tab) => tab === query),
    ),
  );
  const [released, setReleased] = useState<EditedListing["published"]>();
  const context = useMemo(
    () => ({ store, listing: { ...listing, published: newest(listing.published, released) } }),
    [store, listing, released],
  );
  return (
    <EditorProvider value={context}>
      <SyncProvider draft={draft}>
        <EditorFrame onReleased={setReleased} />
      </SyncProvider>
    </EditorProvider>
  );
}

/** A release from this page is newer than the page's data until that is loaded again. It changes texts, not names. */
function newest(published: EditedListing["published"], released: EditedListing["published"]) {
  if (published === undefined || released === undefined) return released ?? published;
  return published.createdAt > released.createdAt ? published : { ...released, names: published.names };
}

// Few visits need these: the draft was changed elsewhere, or another manifest was published.
const ConflictNotice = lazyPart(async () => (await import("../changes/draft-choices")).ConflictNotice);
const PublishedNotice = lazyPart(async () => (await import("../changes/draft-choices")).PublishedNotice);
const NOTICES = [ConflictNotice, PublishedNotice, TextDifference];

const CommandPalette = lazyDialog(async () => (await import("../commands/command-palette")).CommandPalette);
const ShortcutSheet = lazyDialog(async () => (await import("../commands/shortcut-sheet")).ShortcutSheet);
const ReleaseDialog = lazyDialog(async () => (await import("../release/release-dialog")).ReleaseDialog);

interface EditorFrameProps {
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

function EditorFrame({ onReleased }: EditorFrameProps) {
  const root = useRef<HTMLDivElement>(null);
  const { actions, commands, dialog, setDialog, error, setError, importFiles } = useFrameActions();
  const hasConflict = useSyncState((state) => state.theirs !== undefined);
  const { published } = useEditedListing();
  useShortcuts(root, commands);
  useKeptFocus(root);
  useTabInUrl();
  useIdlePreload(NOTICES);
  const dialogProps = (name: typeof dialog) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : undefined),
  });
  return (
    // On wide screens, the editor also uses the margins of the page's column.
    <div ref={root} className="@container lg:mx-[calc(-1*clamp(0px,calc((100vw-80rem)/2),18rem))]">
      <EditorHeader actions={actions} />
      {error !== undefined && (
        <Notice
          tone="danger"
          className="mb-4"
          title={error.title}
          actions={
            <Button size="small" onPress={() => setError(undefined)}>
              Close
            </Button>
          }
        >
          {error.text}
        </Notice>
      )}
      {hasConflict && <ConflictNotice />}
      {published?.differs === true && <PublishedNotice />}
      <EditorTabs />
      <Announcer />
      <Toast />
      <DropTarget onFiles={importFiles} />
      <CommandPalette {...dialogProps("palette")} commands={commands} />
      <ShortcutSheet {...dialogProps("shortcuts")} commands={commands} />
      <ReleaseDialog {...dialogProps("release")} onReleased={onReleased} />
    </div>
  );
}

/** Tells screen readers what was done last. */
function Announcer() {
  const announcement = useEditor((state) => state.announcement);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {announcement}
    </p>
  );
}

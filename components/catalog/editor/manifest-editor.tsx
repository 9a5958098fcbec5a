"use client";

import { ClipboardCopy, Command, Download, Ellipsis, FileUp, Keyboard, X } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/collections";
import { lazyDialog, lazyPart, usePreload } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import type { ManifestDraft } from "@/lib/contract/catalog/manifest-draft";
import { TextDifference } from "../drafts/lazy-text-difference";
import { useSyncState } from "../drafts/use-draft-sync";
import { useShortcuts } from "./command";
import type { FrameActions } from "./editor-commands";
import { EditorTabs, useTabInUrl } from "./editor-tabs";
import { DropTarget, useFrameActions } from "./frame-actions";
import {
  type CheckedDraft,
  createEditorStore,
  type EditedListing,
  EDITOR_TABS,
  EditorProvider,
  useEditedListing,
  useEditor,
  useEditorStore,
} from "./model/editor-store";
import { removeHosts } from "./model/entry-actions";
import { useKeptFocus } from "./model/focus";
import { countText } from "./model/labels";
import { SyncProvider } from "./model/sync-draft";

interface ManifestEditorProps {
  listing: EditedListing;
  /** A `CheckedDraft`, from `checkedDraftJson`. */
  draftJson: string;
  /** Hosts that the editor removes when it opens, as an edit that can be undone. */
  unusedHosts?: readonly string[];
}

/** With zod, a fifth of the editor's code. The server finds the first issues. */
const loadValidator = () => import("@/lib/domain/catalog/manifest/check-manifest");

/** Edits a listing's manifest, from the draft to a released version. */
export function ManifestEditor({ listing, draftJson, unusedHosts }: ManifestEditorProps) {
  const [checked] = useState((): CheckedDraft<ManifestDraft> => JSON.parse(draftJson));
  return <Editor key={listing.id} listing={listing} checked={checked} unusedHosts={unusedHosts} />;
}

interface EditorProps extends Pick<ManifestEditorProps, "listing" | "unusedHosts"> {
  checked: CheckedDraft<ManifestDraft>;
}

function Editor({ listing, checked, unusedHosts }: EditorProps) {
  const query = useSearchParams().get("tab");
  const [store] = useState(() =>
    createEditorStore(
      checked,
      async () => {
        const { checkDraft } = await loadValidator();
        return (outline) => checkDraft(outline, listing.name, listing.permissions);
      },
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
      <SyncProvider draft={checked.draft}>
        <EditorFrame onReleased={setReleased} unusedHosts={unusedHosts} />
      </SyncProvider>
    </EditorProvider>
  );
}

/** A release from this page is newer than the page's data until that is loaded again. It changes texts, not names. */
function newest(published: EditedListing["published"], released: EditedListing["published"]) {
  if (published === undefined || released === undefined) return released ?? published;
  return published.createdAt > released.createdAt ? published : { ...released, names: published.names };
}

// Rarely needed: the draft was changed elsewhere, or another manifest was published.
const ConflictNotice = lazyPart(async () => (await import("./changes/draft-choices")).ConflictNotice);
const PublishedNotice = lazyPart(async () => (await import("./changes/draft-choices")).PublishedNotice);
const validator = { preload: () => void loadValidator().catch(() => undefined) };
const LATER_PARTS = [validator, ConflictNotice, PublishedNotice, TextDifference];

const CommandPalette = lazyDialog(async () => (await import("./command-palette")).CommandPalette);
const ShortcutSheet = lazyDialog(async () => (await import("./shortcut-sheet")).ShortcutSheet);
const ReleaseDialog = lazyDialog(async () => (await import("./changes/release-dialog")).ReleaseDialog);

interface EditorFrameProps extends Pick<ManifestEditorProps, "unusedHosts"> {
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

function EditorFrame({ onReleased, unusedHosts }: EditorFrameProps) {
  const root = useRef<HTMLDivElement>(null);
  const { actions, commands, dialog, setDialog, error, setError, importFiles } = useFrameActions();
  const hasConflict = useSyncState((state) => state.theirs !== undefined);
  const { published } = useEditedListing();
  useShortcuts(root, commands);
  useKeptFocus(root);
  useTabInUrl();
  useProposal(unusedHosts);
  usePreload(LATER_PARTS);
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

/** Applies a proposal once. Without it in the address, a reload doesn't apply again what was undone. */
function useProposal(unusedHosts: readonly string[] = []) {
  const store = useEditorStore();
  const propose = useEffectEvent(() => {
    const url = new URL(window.location.href);
    if (!url.searchParams.has("propose")) return;
    url.searchParams.delete("propose");
    window.history.replaceState(null, "", url);
    const removed = removeHosts(store, unusedHosts);
    store.notify(
      removed === 0
        ? "The draft no longer contains the unused hosts."
        : `Removed ${countText(removed, "host")} that the app did not use. Undo restores ${removed === 1 ? "it" : "them"}.`,
    );
  });
  useEffect(() => propose(), []);
}

/** Announces the last action to screen readers. */
function Announcer() {
  const announcement = useEditor((state) => state.announcement);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {announcement}
    </p>
  );
}

function EditorHeader({ actions }: { actions: FrameActions }) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h2 className="text-lead font-semibold text-ink">Manifest</h2>
      <div className="flex flex-wrap gap-2">
        <Menu
          label="More actions"
          trigger={
            <Button size="icon" aria-label="More actions">
              <Ellipsis aria-hidden className="size-4" />
            </Button>
          }
        >
          <MenuItem icon={FileUp} keys="Mod+O" onAction={actions.importFile}>
            Import file…
          </MenuItem>
          <MenuItem icon={Download} keys="Mod+Shift+S" onAction={actions.exportFile}>
            Export
          </MenuItem>
          <MenuItem icon={ClipboardCopy} onAction={actions.copyText}>
            Copy
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={Command} keys="Mod+K" onAction={actions.openPalette}>
            Command palette
          </MenuItem>
          <MenuItem icon={Keyboard} keys="?" onAction={actions.openShortcuts}>
            Keyboard shortcuts
          </MenuItem>
        </Menu>
        <Button tone="primary" onPress={actions.openRelease}>
          Release
        </Button>
      </div>
    </div>
  );
}

const DURATION_MS = 6_000;

/** The last notification. The live region reads it, so this element has no role. */
function Toast() {
  const store = useEditorStore();
  const toast = useEditor((state) => state.toast);
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(store.dismissToast, DURATION_MS);
    return () => clearTimeout(timer);
  }, [toast, store]);
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-16 z-40 flex justify-center sm:inset-x-auto sm:right-6 sm:bottom-6">
      {toast !== undefined && (
        <p className="pointer-events-auto flex max-w-md arrive items-center gap-2 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 text-small text-ink shadow-high">
          <span className="min-w-0 flex-1 break-words">{toast.message}</span>
          <Button tone="quiet" size="icon" className="size-7" aria-label="Close" onPress={store.dismissToast}>
            <X aria-hidden className="size-4" />
          </Button>
        </p>
      )}
    </div>
  );
}

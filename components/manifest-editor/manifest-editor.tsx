"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { checkDraft, createEditorStore } from "./editor-store";
import { EditorFrame } from "./frame/editor-frame";
import { tabOf } from "./frame/tab-titles";
import { ToastProvider } from "./toast";
import { SyncProvider } from "./sync/use-sync";
import { EditorProvider, type EditedListing } from "./use-editor";

interface ManifestEditorProps {
  listing: EditedListing;
  draft: ManifestDraft;
}

/** The manifest of one listing, from its draft to a version. */
export function ManifestEditor({ listing, draft }: ManifestEditorProps) {
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

"use client";

import { useCallback, type ReactNode } from "react";
import { DraftSyncProvider } from "@/components/draft-sync/use-sync";
import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { mergeManifests } from "@/lib/domain/manifest/compare/merge-manifests";
import { useEditedListing, useEditorStore } from "../model/use-editor";
import { loadDraft, saveDraft } from "./draft-calls";

/** Saves the editor's text for as long as it is mounted. */
export function SyncProvider({ draft, children }: { draft: ManifestDraft; children: ReactNode }) {
  const store = useEditorStore();
  const { id } = useEditedListing();
  const subscribe = useCallback(
    (changed: () => void) =>
      store.subscribe(({ outline }, before) => {
        if (outline.text !== before.outline.text) changed();
      }),
    [store],
  );
  return (
    <DraftSyncProvider
      draft={draft}
      copyName={`manifest-copy:${id}`}
      ports={{
        subject: "the manifest",
        text: {
          read: () => store.getState().outline.text,
          replace: (text, what) => store.replaceText(text, { what }),
        },
        merge: (base, mine, theirs) => {
          const merged = mergeManifests(base, mine, theirs);
          return merged && { text: merged.text, conflicts: merged.conflicts.length };
        },
        load: () => loadDraft(id),
        save: (input) => saveDraft(id, input),
        notify: store.notify,
      }}
      subscribe={subscribe}
    >
      {children}
    </DraftSyncProvider>
  );
}

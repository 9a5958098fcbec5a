"use client";

import { type ReactNode, useCallback } from "react";
import { callApi } from "@/lib/client/api";
import type { ManifestDraft, ReleaseInput, SaveDraftInput } from "@/lib/contract/catalog/manifest-draft";
import { mergeManifests } from "@/lib/domain/catalog/manifest/merge-manifests";
import { DraftSyncProvider } from "../../drafts/use-draft-sync";
import { useEditedListing, useEditorStore } from "./editor-store";

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

// The editor's API calls.

function loadDraft(listingId: string) {
  return callApi("GET", draftPath(listingId), {
    answer: async () => (await import("@/lib/contract/catalog/manifest-draft")).manifestDraft,
  });
}

function saveDraft(listingId: string, input: SaveDraftInput) {
  return callApi("PUT", draftPath(listingId), {
    body: input,
    answer: async () => (await import("@/lib/contract/catalog/manifest-draft")).savedDraft,
  });
}

export function loadImpact(listingId: string, signal?: AbortSignal) {
  return callApi("GET", `${draftPath(listingId)}/impact`, {
    answer: async () => (await import("@/lib/contract/catalog/manifest-draft")).manifestImpact,
    signal,
  });
}

export function releaseDraft(listingId: string, input: ReleaseInput) {
  return callApi("POST", `${draftPath(listingId)}/release`, {
    body: input,
    answer: async () => (await import("@/lib/contract/catalog/manifest-draft")).released,
  });
}

export function loadVersionManifest(listingId: string, versionId: string, signal?: AbortSignal) {
  const path = `/api/listings/${encodeURIComponent(listingId)}/versions/${encodeURIComponent(versionId)}/manifest`;
  return callApi("GET", path, {
    answer: async () => (await import("@/lib/contract/catalog/manifest-draft")).versionManifest,
    signal,
  });
}

function draftPath(listingId: string): string {
  return `/api/listings/${encodeURIComponent(listingId)}/manifest`;
}

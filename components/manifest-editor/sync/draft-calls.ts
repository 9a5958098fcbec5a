/** The editor's API calls. */
import { callApi } from "@/lib/client/api";
import type { ReleaseInput, SaveDraftInput } from "@/lib/contract/manifest-draft";

export function loadDraft(listingId: string) {
  return callApi("GET", draftPath(listingId), {
    answer: async () => (await import("@/lib/contract/manifest-draft")).manifestDraft,
  });
}

export function saveDraft(listingId: string, input: SaveDraftInput) {
  return callApi("PUT", draftPath(listingId), {
    body: input,
    answer: async () => (await import("@/lib/contract/manifest-draft")).savedDraft,
  });
}

export function loadImpact(listingId: string, signal?: AbortSignal) {
  return callApi("GET", `${draftPath(listingId)}/impact`, {
    answer: async () => (await import("@/lib/contract/manifest-draft")).manifestImpact,
    signal,
  });
}

export function releaseDraft(listingId: string, input: ReleaseInput) {
  return callApi("POST", `${draftPath(listingId)}/release`, {
    body: input,
    answer: async () => (await import("@/lib/contract/manifest-draft")).released,
  });
}

export function loadVersionManifest(listingId: string, versionId: string, signal?: AbortSignal) {
  const path = `/api/listings/${encodeURIComponent(listingId)}/versions/${encodeURIComponent(versionId)}/manifest`;
  return callApi("GET", path, {
    answer: async () => (await import("@/lib/contract/manifest-draft")).versionManifest,
    signal,
  });
}

function draftPath(listingId: string): string {
  return `/api/listings/${encodeURIComponent(listingId)}/manifest`;
}

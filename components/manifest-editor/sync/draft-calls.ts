/** The editor's calls of the platform. */
import { callApi } from "@/lib/client/api";
import {
  manifestDraft,
  manifestImpact,
  released,
  savedDraft,
  versionManifest,
  type SaveDraftInput,
} from "@/lib/contract/manifest-draft";

export function loadDraft(listingId: string) {
  return callApi("GET", pathOf(listingId), { answer: manifestDraft });
}

export function saveDraft(listingId: string, input: SaveDraftInput) {
  return callApi("PUT", pathOf(listingId), { body: input, answer: savedDraft });
}

export function loadImpact(listingId: string, signal?: AbortSignal) {
  return callApi("GET", `${pathOf(listingId)}/impact`, { answer: manifestImpact, signal });
}

export function releaseDraft(listingId: string, revision: number) {
  return callApi("POST", `${pathOf(listingId)}/release`, { body: { revision }, answer: released });
}

export function loadVersionManifest(listingId: string, versionId: string, signal?: AbortSignal) {
  const path = `/api/listings/${encodeURIComponent(listingId)}/versions/${encodeURIComponent(versionId)}/manifest`;
  return callApi("GET", path, { answer: versionManifest, signal });
}

function pathOf(listingId: string): string {
  return `/api/listings/${encodeURIComponent(listingId)}/manifest`;
}

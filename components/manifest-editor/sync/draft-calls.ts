/** The editor's calls of the platform. */

import { callApi, toProblemBody } from "@/lib/client/api";
import {
  manifestDraft,
  manifestImpact,
  released,
  savedDraft,
  type SaveDraftInput,
  versionManifest,
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

type SyncFault =
  | { type: "stale" }
  /** No answer, or none that says anything of the draft: worth another try. */
  | { type: "unreachable" }
  | { type: "signed-out" }
  | { type: "refused"; reason: string };

/** What a failed call means for the draft. */
export function faultOf(error: unknown): SyncFault {
  const { code, status, detail, issues } = toProblemBody(error);
  if (code === "STALE_REVISION") return { type: "stale" };
  if (status === 401) return { type: "signed-out" };
  if (status === 429 || (status >= 500 && code !== "STORAGE_FULL")) return { type: "unreachable" };
  return { type: "refused", reason: issues?.[0]?.message ?? detail };
}

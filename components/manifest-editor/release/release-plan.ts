"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Problem, isError } from "@/lib/contract/problem";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareManifests, type ManifestChange } from "@/lib/domain/manifest/compare/compare-manifests";
import { bumpVersion, compareVersions } from "@/lib/domain/version";
import { useEditedListing, useEditorStore } from "../model/use-editor";
import { loadVersionManifest } from "../sync/draft-calls";
import { useSync, useSyncState } from "@/components/draft-sync/use-sync";

type ReleasePlan =
  | { type: "no-image" }
  | { type: "broken"; errors: number }
  | { type: "same"; number: string }
  /** Some of the changes need a new image. */
  | { type: "needs-image"; changes: readonly ManifestChange[] }
  | { type: "ready"; number: string; changes: readonly ManifestChange[] };

export type ShownPlan =
  | ReleasePlan
  | { type: "loading" }
  | { type: "unsaved"; reason: string }
  | { type: "failed"; error: unknown };

/** Saves the draft when the dialog opens, then compares it with the published version. */
export function useReleasePlan(isOpen: boolean): ShownPlan {
  const store = useEditorStore();
  const sync = useSync();
  const { id, name, published } = useEditedListing();
  const status = useSyncState((state) => state.status);
  const [hasTriedToSave, setTried] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    let isClosed = false;
    void sync.saveNow().finally(() => !isClosed && setTried(true));
    return () => {
      isClosed = true;
      setTried(false);
    };
  }, [isOpen, sync]);
  const newest = useQuery({
    queryKey: ["version-manifest", id, published?.versionId],
    queryFn: ({ signal }) => loadVersionManifest(id, published?.versionId ?? "", signal),
    enabled: isOpen && published !== undefined,
    staleTime: Infinity,
  });
  if (!isOpen || !hasTriedToSave || status.type === "saving") return { type: "loading" };
  if (status.type !== "saved")
    return { type: "unsaved", reason: status.type === "refused" ? status.reason : "" };
  if (published === undefined) return { type: "no-image" };
  if (newest.error !== null) return { type: "failed", error: newest.error };
  if (newest.data === undefined) return { type: "loading" };
  return planRelease(newest.data, store.getState().outline.text, name);
}

/** Applies the server's rules for text-only releases. */
export function planRelease(
  newest: { number: string; text: string },
  text: string,
  listingName: string,
): ReleasePlan {
  const { manifest, issues } = checkManifest(text);
  const published = checkManifest(newest.text).manifest;
  const errors = issues.filter(isError).length;
  if (manifest === undefined || published === undefined || manifest.name !== listingName)
    return { type: "broken", errors: Math.max(errors, 1) };
  const changes = compareManifests(published, manifest);
  if (changes.length === 0) return { type: "same", number: newest.number };
  if (changes.some(({ needsImage }) => needsImage)) return { type: "needs-image", changes };
  return { type: "ready", number: nextNumber(manifest.version, newest.number), changes };
}

/** The draft's own number if it is higher. */
function nextNumber(version: string, newest: string): string {
  try {
    return compareVersions(version, newest) > 0 ? version : bumpVersion(newest);
  } catch (error) {
    if (error instanceof Problem) return version;
    throw error;
  }
}

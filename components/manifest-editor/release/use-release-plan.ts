"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { loadVersionManifest } from "../sync/draft-calls";
import { useSync, useSyncState } from "../sync/use-sync";
import { useEditedListing, useEditorStore } from "../use-editor";
import { planRelease, type ReleasePlan } from "./plan-release";

export type ShownPlan =
  | ReleasePlan
  | { type: "loading" }
  | { type: "unsaved"; reason: string }
  | { type: "failed"; error: unknown };

/** Saves first, then compares what is saved with what is published. */
export function useReleasePlan(isOpen: boolean): ShownPlan {
  const store = useEditorStore();
  const sync = useSync();
  const { id, name, published } = useEditedListing();
  const status = useSyncState((state) => state.status);
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    let gone = false;
    void sync.saveNow().finally(() => !gone && setTried(true));
    return () => {
      gone = true;
      setTried(false);
    };
  }, [isOpen, sync]);
  const newest = useQuery({
    queryKey: ["version-manifest", id, published?.versionId],
    queryFn: ({ signal }) => loadVersionManifest(id, published?.versionId ?? "", signal),
    enabled: isOpen && published !== undefined,
    staleTime: Infinity,
  });
  if (!isOpen || !isTried) return { type: "loading" };
  if (status.type === "saving") return { type: "loading" };
  if (status.type !== "saved")
    return { type: "unsaved", reason: status.type === "refused" ? status.reason : "" };
  if (published === undefined) return { type: "no-image" };
  if (newest.error !== null) return { type: "failed", error: newest.error };
  if (newest.data === undefined) return { type: "loading" };
  return planRelease(newest.data, store.state().outline.text, name);
}

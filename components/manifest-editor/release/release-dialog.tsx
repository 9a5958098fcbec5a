"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { loadVersionManifest, releaseDraft } from "../sync/draft-calls";
import { useSync, useSyncState } from "../sync/use-sync";
import { useToast } from "../frame/toast";
import { useEditedListing, useEditorStore, type EditedListing } from "../use-editor";
import { ImageWay } from "./image-way";
import { ImpactCounts } from "./impact-counts";
import { planRelease, type ReleasePlan } from "./plan-release";
import { ReleasePlanView } from "./release-plan-view";

interface ReleaseDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

/** A version of the newest image with these texts. */
export function ReleaseDialog({ isOpen, onOpenChange, onReleased }: ReleaseDialogProps) {
  const sync = useSync();
  const tell = useToast();
  const router = useRouter();
  const { id } = useEditedListing();
  const revision = useSyncState((state) => state.known.revision);
  const plan = useReleasePlan(isOpen);
  const release = useMutation({
    mutationFn: () => releaseDraft(id, revision),
    onSuccess: ({ versionId, number, draft }) => {
      sync.adopt(draft, `Release ${number}`);
      onReleased({ versionId, number, createdAt: new Date().toISOString(), differs: false });
      onOpenChange(false);
      tell(`Released as version ${number}`);
      router.refresh();
    },
  });
  const change = (open: boolean) => {
    if (!open) release.reset();
    onOpenChange(open);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={change}
      isBusy={release.isPending}
      title="Release"
      description="These texts, with the image of the newest version"
      footer={
        <>
          <Button onPress={() => change(false)} isDisabled={release.isPending}>
            {plan.type === "ready" ? "Cancel" : "Close"}
          </Button>
          <Button
            tone="primary"
            isDisabled={plan.type !== "ready"}
            isPending={release.isPending}
            onPress={() => release.mutate()}
          >
            {plan.type === "ready" ? `Release ${plan.number}` : "Release"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {plan.type === "loading" && <Skeleton className="h-24" />}
        {plan.type === "unsaved" && (
          <Notice tone="warning" title="The draft is not saved yet">
            What is released is the saved draft. {plan.reason}
          </Notice>
        )}
        <ProblemNotice error={plan.type === "failed" ? plan.error : undefined} />
        <ReleasePlanView plan={plan} close={() => change(false)} />
        {plan.type === "ready" && <ImpactCounts listingId={id} revision={revision} />}
        <ProblemNotice error={release.error} />
        <ImageWay />
      </div>
    </Dialog>
  );
}

type ShownPlan =
  | ReleasePlan
  | { type: "loading" }
  | { type: "unsaved"; reason: string }
  | { type: "failed"; error: unknown };
export type { ShownPlan };

/** Saves first, then compares what is saved with what is published. */
function useReleasePlan(isOpen: boolean): ShownPlan {
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

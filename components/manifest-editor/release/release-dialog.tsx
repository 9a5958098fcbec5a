"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { releaseDraft } from "../sync/draft-calls";
import { useSync, useSyncState } from "../sync/use-sync";
import { useToast } from "../model/toast";
import { type EditedListing, useEditedListing } from "../model/use-editor";
import { ImpactCounts } from "../changes/impact";
import { ReleasePlanView } from "./release-plan-view";
import { useReleasePlan } from "./release-plan";
import { CodeBlock } from "@/components/ui/code-block";

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

/** The other way to a version: a new image, by the command line. */
function ImageWay() {
  const { name, appName } = useEditedListing();
  const commands = `platform-app manifest pull --app ${name}\ndocker build -t ${name}:latest .\nplatform-app publish ${name}:latest`;
  return (
    <section>
      <h3 className="text-[13px] font-medium text-ink">With a new image</h3>
      <p className="mt-0.5 mb-2 text-[13px] leading-5">
        In the folder of {appName}: fetch the manifest into platform-app.json, build the image, publish it.
      </p>
      <CodeBlock code={commands} label="Commands for a new image" wrap />
    </section>
  );
}

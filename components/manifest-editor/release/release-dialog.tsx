"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ReleaseNotesField } from "@/components/listing/release-notes";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { DOCKERFILE_LINE, publishCommands } from "@/lib/contract/publish-commands";
import { Impact } from "../changes/impact";
import { useEditedListing, useEditorStore, type EditedListing } from "../model/use-editor";
import { releaseDraft } from "../sync/draft-calls";
import { useSync, useSyncState } from "@/components/draft-sync/use-sync";
import { useReleasePlan } from "./release-plan";
import { ReleasePlanView } from "./release-plan-view";

interface ReleaseDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  onReleased: (published: NonNullable<EditedListing["published"]>) => void;
}

/** Releases the draft as a version with the latest image. */
export function ReleaseDialog({ isOpen, onOpenChange, onReleased }: ReleaseDialogProps) {
  const store = useEditorStore();
  const sync = useSync();
  const router = useRouter();
  const { id } = useEditedListing();
  const revision = useSyncState((state) => state.base.revision);
  const plan = useReleasePlan(isOpen);
  const [notes, setNotes] = useState("");
  const release = useMutation({
    mutationFn: () => releaseDraft(id, { revision, notes }),
    onSuccess: ({ versionId, number, draft }) => {
      setNotes("");
      sync.adopt(draft, `Release ${number}`);
      onReleased({ versionId, number, createdAt: new Date().toISOString(), differs: false });
      onOpenChange(false);
      store.notify(`Released as version ${number}`);
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
      description="Text-only release: reuses the latest image"
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
            Only the saved draft can be released. {plan.reason}
          </Notice>
        )}
        <ProblemNotice error={plan.type === "failed" ? plan.error : undefined} />
        <ReleasePlanView plan={plan} close={() => change(false)} />
        {plan.type === "ready" && <ReleaseNotesField value={notes} onChange={setNotes} />}
        {plan.type === "ready" && <Impact />}
        <ProblemNotice error={release.error} />
        <ImageInstructions />
      </div>
    </Dialog>
  );
}

function ImageInstructions() {
  const { name, appName } = useEditedListing();
  const { pull, build, publish } = publishCommands(name);
  return (
    <section>
      <h3 className="text-[13px] font-medium text-ink">With a new image</h3>
      <p className="mt-0.5 mb-2 text-[13px] leading-5">
        In the folder of {appName}, pull the manifest into {MANIFEST_FILE}, build the image and publish it.
        The Dockerfile needs the line <code className="font-mono">{DOCKERFILE_LINE}</code>. To install
        platform-app and sign in, see{" "}
        <TextLink href={`/publish/${appName}`}>the listing&apos;s page</TextLink>.
      </p>
      <CodeBlock code={[pull, build, publish].join("\n")} label="Commands for a new image" wrap />
    </section>
  );
}

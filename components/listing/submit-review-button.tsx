"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { Notice } from "@/components/ui/notice";
import { TextArea } from "@/components/ui/text-fields";
import { callApi } from "@/lib/client/api";
import { ReleaseNotesField } from "./release-notes";

interface SubmitReviewButtonProps {
  listingId: string;
  appName: string;
  versionId: string;
  number: string;
  /** What was written so far. */
  releaseNotes: string;
  /** On a public listing, only the new version is reviewed. */
  isPublic: boolean;
  /** The newer version that is verified already, if there is one. */
  newerVerified: string | undefined;
}

export function SubmitReviewButton(props: SubmitReviewButtonProps) {
  const { listingId, appName, versionId, number, isPublic, newerVerified } = props;
  const older = newerVerified !== undefined;
  const [open, setOpen] = useState(false);
  const [note, setNote] = useState("");
  const [releaseNotes, setReleaseNotes] = useState(props.releaseNotes);
  const router = useRouter();
  const submit = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/listings/${listingId}/reviews`, {
        body: { versionId, older, note, releaseNotes },
        answer: async () => (await import("@/lib/contract/listing")).submittedReview,
      }),
    onSuccess: ({ reviewId }) => {
      setOpen(false);
      router.push(`/publish/${appName}/reviews/${reviewId}`);
    },
  });
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)}>
        Submit for review
      </Button>
      <ConfirmDialog
        isOpen={open}
        onOpenChange={(next) => {
          setOpen(next);
          submit.reset();
        }}
        title={`Submit version ${number} for review?`}
        confirmText={older ? "Submit older version" : "Submit for review"}
        tone="primary"
        onConfirm={() => submit.mutate()}
        isPending={submit.isPending}
        error={submit.error}
      >
        {older && (
          <Notice
            tone="warning"
            title={`Version ${newerVerified} is newer and already verified`}
            className="mb-4"
          >
            Customers launch the newest verified version. Even if {number} is approved, that is still{" "}
            {newerVerified}.
          </Notice>
        )}
        {older
          ? "A moderator checks the manifest and image."
          : isPublic
            ? "A moderator checks the manifest and image. Until this version is verified, customers launch the previous one."
            : "A moderator checks the listing text, manifest, and image. Once verified, the listing is public for every organization."}
        <div className="mt-4">
          <ReleaseNotesField value={releaseNotes} onChange={setReleaseNotes} />
        </div>
        <TextArea
          label="Note for the moderator"
          hint="How to try the app, test accounts, what changed. Markdown."
          value={note}
          onChange={setNote}
          maxLength={2000}
          rows={3}
          className="mt-4"
        />
      </ConfirmDialog>
    </>
  );
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/card";
import { TextArea } from "@/components/ui/forms/fields";
import { ConfirmDialog, Dialog, lazyPart } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

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
        answer: async () => (await import("@/lib/contract/catalog/listing")).submittedReview,
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

const Markdown = lazyPart(
  async () => (await import("../marketplace/markdown")).Markdown,
  <Skeleton className="h-24 w-full" />,
);

interface ReleaseNotesProps {
  listingId: string;
  version: { id: string; number: string; releaseNotes: string };
  /** No moderator has the notes yet. */
  isEditable: boolean;
}

/** Shows the release notes of a version, and lets its publisher edit them until it is submitted for review. */
export function ReleaseNotes({ listingId, version, isEditable }: ReleaseNotesProps) {
  const { id, number, releaseNotes } = version;
  const [isOpen, setOpen] = useState(false);
  const [notes, setNotes] = useState(releaseNotes);
  const router = useRouter();
  const save = useMutation({
    mutationFn: () => callApi("PUT", `/api/listings/${listingId}/versions/${id}/notes`, { body: { notes } }),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  if (!isEditable && releaseNotes === "") return null;
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        aria-label={`Release notes of ${number}`}
        onPress={() => setOpen(true)}
      >
        {releaseNotes === "" ? "Add notes" : "Notes"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          save.reset();
        }}
        isBusy={save.isPending}
        title={`Release notes of ${number}`}
        footer={
          isEditable && (
            <>
              <Button onPress={() => setOpen(false)} isDisabled={save.isPending}>
                Cancel
              </Button>
              <Button tone="primary" onPress={() => save.mutate()} isPending={save.isPending}>
                Save
              </Button>
            </>
          )
        }
      >
        {isEditable ? (
          <div className="flex flex-col gap-4">
            <ReleaseNotesField value={notes} onChange={setNotes} />
            <ProblemNotice error={save.error} />
          </div>
        ) : (
          <Markdown>{releaseNotes}</Markdown>
        )}
      </Dialog>
    </>
  );
}

export function ReleaseNotesField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextArea
      label="Release notes"
      hint="What is new, in Markdown. Customers see it when they choose a version."
      value={value}
      onChange={onChange}
      maxLength={10_000}
      rows={6}
    />
  );
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useFormContext } from "react-hook-form";
import { LiveRefresh } from "@/components/platform/live";
import { UserProse } from "@/components/ui/fact-list";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/forms/fields";
import { Dialog } from "@/components/ui/forms/lazy-code";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UserText } from "@/components/ui/values";
import { callApi, showIssues } from "@/lib/client/api";
import type { ListingState, ListingText, ReviewState } from "@/lib/contract/catalog/listing";
import { compareTexts, type TextChange } from "@/lib/domain/catalog/listing-text";
import { useSync, useSyncState } from "../drafts/use-draft-sync";

export interface TextReview {
  id: string;
  state: ReviewState;
  /** From the moderator. */
  note: string;
  text: ListingText;
}

interface PublishNoticeProps {
  listing: { id: string; appName: string; state: ListingState };
  publicText: ListingText;
  /** As typed here. */
  text: ListingText;
  /** The newest review of only the text. */
  review: TextReview | undefined;
}

/** The public text, and how edits become public. */
export function PublishNotice({ listing, publicText, text, review }: PublishNoticeProps) {
  if (listing.state === "DRAFT")
    return (
      <Notice
        title="Only your organization sees this draft"
        actions={
          <LinkButton size="small" href={`/publish/${listing.appName}/versions`}>
            Go to versions
          </LinkButton>
        }
      >
        Your edits appear on its page immediately. To make it public, submit a version for review. The
        moderator reviews this text with it.
      </Notice>
    );
  const changes = compareTexts(publicText, text);
  if (review?.state === "PENDING")
    return (
      <InReview
        review={review}
        publicText={publicText}
        appName={listing.appName}
        hasMore={compareTexts(review.text, text).length > 0}
      />
    );
  return (
    <>
      {(review?.state === "CHANGES_REQUESTED" || review?.state === "REJECTED") && changes.length > 0 && (
        <Notice
          tone="warning"
          title={review.state === "REJECTED" ? "Your change was rejected" : "The moderator requested changes"}
        >
          <UserProse label="Note">{review.note}</UserProse>
        </Notice>
      )}
      {changes.length === 0 ? (
        <Notice tone="success" title="This text is public">
          You can edit it at any time. Changes go live once a moderator approves them.
        </Notice>
      ) : (
        <Unsubmitted listingId={listing.id} changes={changes} />
      )}
    </>
  );
}

function count(changes: readonly TextChange[]): string {
  return changes.length === 1 ? "1 field differs" : `${changes.length} fields differ`;
}

function Unsubmitted({ listingId, changes }: { listingId: string; changes: readonly TextChange[] }) {
  const [isOpen, setOpen] = useState(false);
  const [note, setNote] = useState("");
  const { setError, getValues } = useFormContext<ListingText>();
  const hasConflict = useSyncState((state) => state.theirs !== undefined);
  const sync = useSync();
  const router = useRouter();
  const submit = useMutation({
    mutationFn: async () => {
      if (!(await sync.saveNow())) throw new Error("not saved");
      const { revision } = sync.store.getState().base;
      await callApi("POST", `/api/listings/${listingId}/text/review`, { body: { revision, note } });
    },
    onSuccess: () => {
      setOpen(false);
      setNote("");
      router.refresh();
    },
    onError: (error) => showIssues(error, getValues(), setError),
  });
  return (
    <Notice
      title={`${count(changes)} from the public text`}
      actions={
        <Button size="small" tone="primary" isDisabled={hasConflict} onPress={() => setOpen(true)}>
          Review and submit changes
        </Button>
      }
    >
      The public text doesn&apos;t change until a moderator approves yours.
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          submit.reset();
        }}
        isBusy={submit.isPending}
        title="Submit these changes?"
        description="A moderator reviews only the text, which is quick. You don't need a new version."
        width="large"
        footer={
          <>
            <Button onPress={() => setOpen(false)} isDisabled={submit.isPending}>
              Cancel
            </Button>
            <Button tone="primary" onPress={() => submit.mutate()} isPending={submit.isPending}>
              Submit changes
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-5">
          <TextChanges changes={changes} />
          <TextArea
            label="Note to the moderator"
            value={note}
            onChange={setNote}
            rows={2}
            maxLength={2_000}
          />
          <ProblemNotice error={submit.error} />
        </div>
      </Dialog>
    </Notice>
  );
}

interface InReviewProps {
  appName: string;
  review: TextReview;
  publicText: ListingText;
  /** More was typed after the submission. */
  hasMore: boolean;
}

function InReview({ appName, review, publicText, hasMore }: InReviewProps) {
  const [isOpen, setOpen] = useState(false);
  const changes = compareTexts(publicText, review.text);
  return (
    <Notice
      title="Your change is in review"
      actions={
        <>
          <Button size="small" onPress={() => setOpen(true)}>
            See what was submitted
          </Button>
          <LinkButton size="small" href={`/publish/${appName}/reviews/${review.id}`}>
            Go to the review
          </LinkButton>
        </>
      }
    >
      {count(changes)} from the public text.{" "}
      {hasMore &&
        "Later edits are saved but not part of the review. To include them, withdraw the review and submit again."}
      <LiveRefresh />
      <Dialog isOpen={isOpen} onOpenChange={setOpen} title="Submitted changes" width="large">
        <TextChanges changes={changes} />
      </Dialog>
    </Notice>
  );
}

/** Each field that differs, with the public text and the new one. */
function TextChanges({ changes }: { changes: readonly TextChange[] }) {
  return (
    <dl className="flex flex-col gap-4">
      {changes.map(({ name, label, before, after }) => (
        <div key={name} className="min-w-0">
          <dt className="mb-1 text-small font-medium text-ink">{label}</dt>
          <Side word="Before" text={before} tone="border-danger-line bg-danger-soft" />
          <Side word="After" text={after} tone="border-success-line bg-success-soft" />
        </div>
      ))}
    </dl>
  );
}

function Side({ word, text, tone }: { word: string; text: string; tone: string }) {
  return (
    <dd className={`border-l-2 px-3 py-1.5 text-small leading-5 wrap-anywhere whitespace-pre-wrap ${tone}`}>
      <span className="sr-only">{word}: </span>
      {text === "" ? <span className="text-ink-faint italic">Empty</span> : <UserText>{text}</UserText>}
    </dd>
  );
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { Keyboard } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { AppCell } from "@/components/catalog/marketplace/listing-cards";
import { Badge, StateBadge } from "@/components/ui/badge";
import { type BulkItem, BulkDialog } from "@/components/ui/forms/bulk-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { openShortcutList, useListedShortcuts } from "@/components/ui/page-shortcuts";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowCheckbox, type RowSelection, SelectionBar, useSelection } from "@/components/ui/forms/selection";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { isTyping, singleKeys } from "@/components/ui/typing";
import { UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import type { ReviewKind, ReviewState } from "@/lib/contract/catalog/listing";

export interface QueuedReview {
  id: string;
  kind: ReviewKind;
  state: ReviewState;
  title: string;
  appName: string;
  organizationSlug: string;
  organizationName: string;
  versionNumber: string | null;
  createdAt: Date;
  dueAt: Date;
  decidedAt: Date | null;
  overdue: boolean;
  /** Who has claimed it. */
  claim: { name: string; mine: boolean } | null;
  /** The app of an organization that this moderator belongs to, so others decide. */
  own: boolean;
}

const SHORTCUTS = {
  title: "Reviews",
  rows: [
    { what: "Next review", keys: ["J"] },
    { what: "Previous review", keys: ["K"] },
    { what: "Open the review", keys: ["O", "Enter"] },
    { what: "Claim or release the review", keys: ["C"] },
  ],
} as const;

/** The queue as a table that is worked through with the keyboard. */
export function ReviewQueue({ reviews }: { reviews: QueuedReview[] }) {
  const router = useRouter();
  const links = useRef<(HTMLAnchorElement | null)[]>([]);
  const claim = useMutation({
    mutationFn: ({ id, claim: held }: QueuedReview) =>
      callApi(held?.mine === true ? "DELETE" : "POST", `/api/reviews/${id}/claim`),
    onSettled: () => router.refresh(),
  });
  const waiting = reviews.some(({ state }) => state === "PENDING");
  const free = reviews.filter(({ state, own, claim: held }) => state === "PENDING" && !own && held === null);
  const selection = useSelection(
    "queue",
    free.map(({ id }) => id),
  );
  const isSelectable = free.length > 1;
  useQueueKeys({
    focus: (step) => {
      const now = links.current.findIndex((link) => link === document.activeElement);
      const next = now === -1 ? (step > 0 ? 0 : reviews.length - 1) : now + step;
      links.current[Math.min(Math.max(next, 0), reviews.length - 1)]?.focus();
    },
    open: () => links.current.find((link) => link === document.activeElement)?.click(),
    claim: () => {
      const review = reviews[links.current.findIndex((link) => link === document.activeElement)];
      if (review?.state === "PENDING" && !claim.isPending) claim.mutate(review);
    },
  });
  useListedShortcuts(SHORTCUTS);
  // A row that is gone leaves no link behind.
  useEffect(() => void links.current.splice(reviews.length), [reviews.length]);
  return (
    <div className="flex flex-col gap-3">
      <ProblemNotice error={claim.error} />
      <Card flush>
        {isSelectable && <ClaimBar reviews={free} selection={selection} />}
        <Table label="Reviews">
          <TableHead
            columns={[
              ...(isSelectable ? ["Select"] : []),
              ...["App", "Review of", "Publisher", "Submitted", waiting ? "Due" : "Ended", "State", ""],
            ]}
          />
          <TableBody>
            {reviews.map((review, index) => (
              <TableRow key={review.id}>
                {isSelectable && (
                  <TableCell>
                    {free.includes(review) && (
                      <RowCheckbox selection={selection} id={review.id} name={nameReview(review)} />
                    )}
                  </TableCell>
                )}
                <AppCell
                  listing={review}
                  href={`/moderation/${review.id}`}
                  linkRef={(link) => void (links.current[index] = link)}
                />
                <TableCell label="Review of" className="whitespace-nowrap tabular-nums">
                  {review.versionNumber === null ? "Listing text" : `Version ${review.versionNumber}`}
                </TableCell>
                <TableCell label="Publisher" className="text-ink-soft">
                  <UserText>{review.organizationName}</UserText>
                </TableCell>
                <TableCell label="Submitted" className="whitespace-nowrap text-ink-soft">
                  <RelativeTime at={review.createdAt} />
                </TableCell>
                <TableCell
                  label={review.state === "PENDING" ? "Due" : "Ended"}
                  className={`whitespace-nowrap ${review.overdue ? "font-medium text-danger" : "text-ink-soft"}`}
                >
                  <RelativeTime
                    at={review.state === "PENDING" ? review.dueAt : (review.decidedAt ?? review.dueAt)}
                  />
                </TableCell>
                <TableCell>
                  <span className="flex flex-wrap items-center gap-1.5">
                    <StateBadge state={review.state} />
                    {review.claim !== null && (
                      <Badge tone={review.claim.mine ? "accent" : "neutral"}>
                        {review.claim.mine ? "Claimed by you" : `Claimed by ${review.claim.name}`}
                      </Badge>
                    )}
                  </span>
                </TableCell>
                <TableCell>
                  {review.state === "PENDING" && review.own && (
                    <span className="block text-small leading-5 text-ink-faint sm:w-44">
                      Your organization&apos;s app. Another moderator decides.
                    </span>
                  )}
                  {review.state === "PENDING" &&
                    !review.own &&
                    (review.claim === null || review.claim.mine) && (
                      <Button
                        size="small"
                        aria-label={`${review.claim === null ? "Claim" : "Release"} ${review.title}`}
                        isPending={claim.isPending && claim.variables.id === review.id}
                        onPress={() => claim.mutate(review)}
                      >
                        {review.claim === null ? "Claim" : "Release"}
                      </Button>
                    )}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Card>
      <div className="hidden sm:block">
        <Button size="small" tone="quiet" className="-ml-3" onPress={openShortcutList}>
          <Keyboard aria-hidden className="size-4" />
          Keyboard shortcuts
        </Button>
      </div>
    </div>
  );
}

function nameReview({ title, versionNumber }: QueuedReview): string {
  return versionNumber === null ? `${title}, listing text` : `${title} ${versionNumber}`;
}

/** Claims the selected reviews. Somebody else may be first: each result is shown. */
function ClaimBar({ reviews, selection }: { reviews: QueuedReview[]; selection: RowSelection }) {
  const router = useRouter();
  const [items, setItems] = useState<BulkItem[]>();
  const open = () =>
    setItems(
      reviews
        .filter(({ id }) => selection.ids.has(id))
        .map((review) => ({
          id: review.id,
          title: nameReview(review),
          text: `By ${review.organizationName}`,
          run: async () => {
            await callApi("POST", `/api/reviews/${review.id}/claim`);
            return "Claimed by you";
          },
        })),
    );
  return (
    <>
      <SelectionBar selection={selection} text="Select all unclaimed on this page">
        {selection.ids.size > 0 && (
          <Button size="small" tone="primary" onPress={open}>
            Claim selected
          </Button>
        )}
      </SelectionBar>
      <BulkDialog
        items={items}
        ask={(count) => (count === 1 ? "Claim 1 review?" : `Claim ${count} reviews?`)}
        confirmText={(count) => (count === 1 ? "Claim 1 review" : `Claim ${count} reviews`)}
        onClose={() => setItems(undefined)}
        onDone={() => {
          selection.clear();
          router.refresh();
        }}
      >
        For one day, only you can decide them. Their publishers see that the review has started.
      </BulkDialog>
    </>
  );
}

interface QueueKeys {
  /** Moves the focus by one row, down for 1 and up for -1. */
  focus: (step: 1 | -1) => void;
  open: () => void;
  claim: () => void;
}

const OVERLAYS = "[role=dialog], [role=alertdialog], [role=listbox]";

/** Single keys of the queue. They do nothing while somebody types, while a dialog is open, or if single keys are turned off. */
function useQueueKeys(keys: QueueKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!singleKeys.getState().isOn || isTyping(event.target) || document.querySelector(OVERLAYS) !== null)
      return;
    const act = {
      j: () => keys.focus(1),
      k: () => keys.focus(-1),
      o: keys.open,
      c: keys.claim,
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

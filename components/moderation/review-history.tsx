import type { ReactNode } from "react";
import { UserProse } from "@/components/ui/fact-list";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ReviewState } from "@/lib/contract/catalog/listing";

interface HistoryCardProps {
  reviews: {
    id: string;
    state: ReviewState;
    /** Null for a review of only the text. */
    number: string | null;
    note?: string;
    decidedBy?: string | null;
    decidedAt: Date | null;
    createdAt: Date;
    comments?: number;
  }[];
  /** The path of the reviews' pages, such as `/moderation`. */
  path: string;
  title?: string;
  /** To earlier ones. */
  pager?: ReactNode;
}

/** A page of the other reviews of the same listing, newest first. */
export function HistoryCard({ reviews, path, title = "Other reviews of this app", pager }: HistoryCardProps) {
  if (reviews.length === 0) return null;
  return (
    <Card flush title={title}>
      <ul className="divide-y divide-line border-t border-line">
        {reviews.map((review) => (
          <li key={review.id} className="flex flex-col gap-1 px-4 py-3 sm:px-6">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <TextLink href={`${path}/${review.id}`} standalone className="font-medium">
                {review.number === null ? "Listing text" : `Version ${review.number}`}
              </TextLink>
              <StateBadge state={review.state} />
            </div>
            <p className="text-small text-ink-faint">
              {review.decidedBy !== null && review.decidedBy !== undefined && `${review.decidedBy}, `}
              <RelativeTime at={review.decidedAt ?? review.createdAt} />
              {review.comments !== undefined &&
                review.comments > 0 &&
                ` · ${review.comments} ${review.comments === 1 ? "comment" : "comments"}`}
            </p>
            {review.note !== undefined && review.note !== "" && (
              <UserProse label="Note" className="text-small leading-5 text-ink-soft">
                {review.note}
              </UserProse>
            )}
          </li>
        ))}
      </ul>
      <div className="px-4 pb-4 empty:hidden sm:px-6">{pager}</div>
    </Card>
  );
}

interface ReviewTimelineProps {
  review: {
    state: ReviewState;
    createdAt: Date;
    submittedBy: string;
    claimedAt: Date | null;
    claimer: string | null;
    dueAt: Date;
    decidedAt: Date | null;
    decidedBy: string | null;
  };
}

const ENDED = {
  APPROVED: "Approved",
  CHANGES_REQUESTED: "Changes requested",
  REJECTED: "Rejected",
  WITHDRAWN: "Withdrawn",
} as const satisfies Partial<Record<ReviewState, string>>;

/** What happened so far, and what is next. */
export function ReviewTimeline({ review }: ReviewTimelineProps) {
  const { state, claimedAt, decidedAt } = review;
  const steps = [
    { name: "Submitted", by: review.submittedBy, at: review.createdAt },
    ...(claimedAt === null ? [] : [{ name: "Review started", by: review.claimer, at: claimedAt }]),
    ...(state === "PENDING"
      ? [{ name: "Decision due", by: null, at: review.dueAt }]
      : [{ name: ENDED[state], by: review.decidedBy, at: decidedAt ?? review.dueAt }]),
  ];
  return (
    <Card title="Timeline">
      <ol className="flex flex-col gap-4">
        {steps.map(({ name, by, at }, index) => {
          const isNext = state === "PENDING" && index === steps.length - 1;
          return (
            <li key={name} className="flex items-start gap-3">
              <span
                aria-hidden
                className={`mt-1.5 size-2 shrink-0 rounded-full ${isNext ? "border border-line-strong" : "bg-accent"}`}
              />
              <div className="min-w-0 text-sm">
                <p className={isNext ? "text-ink-soft" : "font-medium text-ink"}>{name}</p>
                <p className="text-small wrap-anywhere text-ink-faint">
                  {by !== null && `${by}, `}
                  <RelativeTime at={at} />
                </p>
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

interface QueueNoticeProps {
  review: { dueAt: Date; createdAt: Date };
  /** 1 is due first. */
  place: number;
  /** Of recent reviews of the same kind; null if there are none. */
  medianMs: number | null;
}

/** When a publisher can expect the decision. */
export function QueueNotice({ review, place, medianMs }: QueueNoticeProps) {
  return (
    <Notice title={`Number ${place} in the queue`}>
      Due <RelativeTime at={review.dueAt} />.{" "}
      {medianMs === null
        ? "There are no recent decisions to compare with."
        : `Half of the recent reviews took less than ${formatDuration(medianMs)}.`}
    </Notice>
  );
}

const STEPS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** “2 days”, “5 hours”, “a minute”: rounded up, in the largest unit that fits. */
export function formatDuration(ms: number): string {
  const [unit, length] = STEPS.find(([, size]) => ms >= size) ?? (["minute", 60_000] as const);
  const count = Math.ceil(ms / length);
  return count <= 1 ? `${unit === "hour" ? "an" : "a"} ${unit}` : `${count} ${unit}s`;
}

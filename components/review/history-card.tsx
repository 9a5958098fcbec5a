import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { ReviewState } from "@/lib/contract/listing";

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
}

/** Other reviews of the same listing, newest first. */
export function HistoryCard({ reviews, path, title = "Other reviews of this app" }: HistoryCardProps) {
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
            <p className="text-[13px] text-ink-faint">
              {review.decidedBy !== null && review.decidedBy !== undefined && `${review.decidedBy}, `}
              <RelativeTime at={review.decidedAt ?? review.createdAt} />
              {review.comments !== undefined &&
                review.comments > 0 &&
                ` · ${review.comments} ${review.comments === 1 ? "comment" : "comments"}`}
            </p>
            {review.note !== undefined && review.note !== "" && (
              <p className="text-[13px] leading-5 wrap-anywhere whitespace-pre-wrap text-ink-soft">
                {review.note}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

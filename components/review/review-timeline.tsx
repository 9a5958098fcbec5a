import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ReviewState } from "@/lib/contract/listing";

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
                <p className="text-[13px] wrap-anywhere text-ink-faint">
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

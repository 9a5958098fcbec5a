import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListingState, ReviewState } from "@/lib/contract/listing";

interface ReviewNoticeProps {
  listingState: ListingState;
  /** The newest review, if there has been any. */
  review:
    { state: ReviewState; note: string; createdAt: Date; decidedAt: Date | null; number: string } | undefined;
  hasVersion: boolean;
}

const DECIDED = {
  CHANGES_REQUESTED: { tone: "warning", title: "A moderator asks for changes" },
  REJECTED: { tone: "danger", title: "A moderator rejected it" },
} as const;

/** Where a listing stands on its way to the public, and what its publisher does next. */
export function ReviewNotice({ listingState, review, hasVersion }: ReviewNoticeProps) {
  if (listingState === "SUSPENDED")
    return (
      <Notice tone="danger" title="Suspended">
        Nobody can launch it until a moderator lifts it.
      </Notice>
    );
  if (listingState === "RETIRED")
    return <Notice title="Retired">It is out of the marketplace for good.</Notice>;
  if (review?.state === "PENDING") {
    return (
      <Notice title={`Version ${review.number} is in review`}>
        Submitted <RelativeTime at={review.createdAt} />. The decision shows here.
      </Notice>
    );
  }
  if (review?.state === "CHANGES_REQUESTED" || review?.state === "REJECTED") {
    const { tone, title } = DECIDED[review.state];
    return (
      <Notice tone={tone} title={`${title}: version ${review.number}`}>
        <p className="whitespace-pre-wrap">{review.note}</p>
        <p className="mt-2">Publish a version that mends it, then submit that one for review.</p>
      </Notice>
    );
  }
  if (listingState === "PUBLIC")
    return review?.note ? (
      <Notice tone="success" title="Verified">
        {review.note}
      </Notice>
    ) : null;
  return hasVersion ? (
    <Notice title="Only your organization sees this draft">
      Try it with Test Launch. Then submit a version for review, to make the listing public.
    </Notice>
  ) : (
    <Notice title="Next: publish a version">
      Only your organization sees this draft. Design its manifest, then publish your image with the commands
      below.
    </Notice>
  );
}

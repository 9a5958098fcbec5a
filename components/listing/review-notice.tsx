import { LiveRefresh } from "@/components/ui/live-refresh";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import type { ListingState, ReviewState } from "@/lib/contract/listing";

interface ReviewNoticeProps {
  listingState: ListingState;
  /** The newest review, if there has been any. */
  review:
    | {
        state: ReviewState;
        note: string;
        createdAt: Date;
        decidedAt: Date | null;
        number: string;
        href: string;
      }
    | undefined;
  hasVersion: boolean;
  /** Why a moderator suspended the listing. */
  suspension?: string;
}

const DECIDED = {
  CHANGES_REQUESTED: { tone: "warning", title: "Changes requested" },
  REJECTED: { tone: "danger", title: "Rejected" },
} as const;

/** The review state of a listing, and what its publisher can do next. */
export function ReviewNotice({ listingState, review, hasVersion, suspension }: ReviewNoticeProps) {
  if (listingState === "SUSPENDED")
    return (
      <Notice tone="danger" title="Suspended">
        {suspension !== undefined && <p className="mb-2 whitespace-pre-wrap">{suspension}</p>}
        Nobody can launch this app until a moderator reinstates it. To fix it, publish a version and submit it
        for review.
      </Notice>
    );
  if (listingState === "RETIRED")
    return <Notice title="Retired">This listing was permanently removed from the marketplace.</Notice>;
  if (review?.state === "PENDING") {
    return (
      <Notice title={`Version ${review.number} is in review`}>
        Submitted <RelativeTime at={review.createdAt} />. The decision appears here.{" "}
        <TextLink href={review.href}>Open the review</TextLink>
        <LiveRefresh />
      </Notice>
    );
  }
  if (review?.state === "CHANGES_REQUESTED" || review?.state === "REJECTED") {
    const { tone, title } = DECIDED[review.state];
    return (
      <Notice tone={tone} title={`${title}: version ${review.number}`}>
        <p className="whitespace-pre-wrap">{review.note}</p>
        <p className="mt-2">
          Publish a version with the fixes and submit it for review.{" "}
          <TextLink href={review.href}>Open the review</TextLink>
        </p>
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
      Try it with a Test Launch. To make the listing public, submit a version for review.
    </Notice>
  ) : (
    <Notice title="Next: publish a version">
      Only your organization sees this draft. Design its manifest, then publish your image with the commands
      below.
    </Notice>
  );
}

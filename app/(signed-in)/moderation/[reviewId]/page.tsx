import { cache, type ReactNode } from "react";
import { formatBytes, Facts } from "@/components/listing/facts";
import { ListingText } from "@/components/listing/listing-text";
import { ManifestSummary } from "@/components/listing/manifest-summary";
import { DecisionForm } from "@/components/review/decision-form";
import { ManifestTexts } from "@/components/review/manifest-texts";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/short-id";
import { isReviewable } from "@/lib/domain/listing";
import { readReview } from "@/lib/server/reviews/read-review";
import type { ReviewRow } from "@/lib/server/reviews/queries";
import { page, titled } from "@/lib/server/web/page";

const read = cache(readReview);

export const generateMetadata = titled(
  "/moderation/[reviewId]",
  "Moderation",
  async ({ platform, actor, params }) => (await read(platform, actor, params.reviewId ?? "")).review.title,
);

export default page("/moderation/[reviewId]", async ({ platform, actor, params }) => {
  const { review, own } = await read(platform, actor, params.reviewId ?? "");
  const { version } = review;
  return (
    <>
      <PageHeader
        back={{ href: "/moderation", text: "Moderation" }}
        title={review.title}
        description={
          <>
            {version === null ? "Text" : `Version ${version.number}`} of{" "}
            <span className="font-mono text-[13px]">{`${review.organizationSlug}/${review.appName}`}</span>,
            by {review.organizationName}
          </>
        }
        badges={<StateBadge state={review.state} />}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-6">
          <ListingText about={review.text.about} requirements={review.text.requirements} />
          {version !== null && (
            <>
              <ManifestSummary manifest={version.manifest} />
              <ManifestTexts
                number={version.number}
                text={version.manifestText}
                imageText={version.imageManifestText}
              />
            </>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-8">
          <Decision review={review} own={own} />
          <Card title="Image">
            <Facts
              facts={[
                ...toImageFacts(version),
                ["Listing", <StateBadge key="state" state={review.listingState} />],
                ["Submitted by", review.submittedBy],
                ["Submitted", <RelativeTime key="submitted" at={review.createdAt} />],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  );
});

function toImageFacts(version: ReviewRow["version"]): [string, ReactNode][] {
  if (version === null) return [];
  return [
    ["Digest", <ShortId key="digest" value={version.imageDigest} label="image digest" />],
    ["Size", formatBytes(version.archiveBytes)],
    ["Published", <RelativeTime key="published" at={version.createdAt} />],
  ];
}

function Decision({ review, own }: { review: ReviewRow; own: boolean }) {
  if (review.state !== "PENDING") {
    return (
      <Notice
        tone={review.state === "APPROVED" ? "success" : "info"}
        title={review.decidedAt === null ? "Withdrawn" : "Decided"}
      >
        {review.decidedAt !== null && <RelativeTime at={review.decidedAt} />}
        {review.note !== "" && <p className="mt-1 whitespace-pre-wrap">{review.note}</p>}
      </Notice>
    );
  }
  if (own) {
    return (
      <Notice tone="warning" title="Your own organization's listing">
        Another moderator must decide. Moderators can&apos;t verify apps of their own organization.
      </Notice>
    );
  }
  if (!isReviewable(review.listingState)) {
    return (
      <Notice tone="warning" title="Can't be reviewed">
        Suspended and retired listings can&apos;t be reviewed.
      </Notice>
    );
  }
  return (
    <DecisionForm
      reviewId={review.id}
      title={review.title}
      version={review.version}
      publishes={review.listingState === "DRAFT"}
    />
  );
}

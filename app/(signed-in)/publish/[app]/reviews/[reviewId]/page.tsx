import { cache } from "react";
import { Markdown } from "@/components/catalog/marketplace/markdown";
import { ManifestLines } from "@/components/moderation/anchored-threads";
import { CommentsCard } from "@/components/moderation/comment-thread";
import { EvidencePanel } from "@/components/moderation/evidence-panel";
import { WithdrawButton } from "@/components/moderation/review-actions";
import { ReviewComments } from "@/components/moderation/review-comments";
import { HistoryCard, QueueNotice, ReviewTimeline } from "@/components/moderation/review-history";
import { LiveRefresh } from "@/components/platform/live";
import { EgressCard } from "@/components/runtime/egress-card";
import { StateBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { type OwnReview, readOwnReview } from "@/lib/server/moderation/read-review";
import { page, titled } from "@/lib/server/surface/web/page";

const read = cache(readOwnReview);

export const generateMetadata = titled(
  "/publish/[app]/reviews/[reviewId]",
  "Reviews",
  async ({ platform, member, params, searchParams }) => {
    const { review } = await read(
      platform,
      member,
      params.app ?? "",
      params.reviewId ?? "",
      searchParams.reviews,
    );
    return `${nameReviewed(review)} of ${review.title}`;
  },
);

export default page(
  "/publish/[app]/reviews/[reviewId]",
  async ({ platform, member, params, searchParams }) => {
    const { review, queue, comments, others, othersPages, evidence, egress } = await read(
      platform,
      member,
      params.app ?? "",
      params.reviewId ?? "",
      searchParams.reviews,
    );
    const { version } = review;
    const name = nameReviewed(review);
    return (
      <ReviewComments reviewId={review.id} initial={comments} mayWrite>
        <PageHeader
          back={{ href: `/publish/${review.appName}`, text: review.title }}
          title={`Review of ${name.toLowerCase()}`}
          badges={<StateBadge state={review.state} />}
          actions={
            review.state === "PENDING" && <WithdrawButton reviewId={review.id} name={name.toLowerCase()} />
          }
        />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-6">
            {queue !== null && <QueueNotice review={review} {...queue} />}
            <Decision review={review} />
            {version !== null && (
              <EvidencePanel
                reviewId={review.id}
                initial={evidence}
                isOpen={review.state === "PENDING"}
                withImage
              />
            )}
            {egress !== null && <EgressCard view={egress} />}
            <CommentsCard />
            {version !== null && (
              <Card title="Manifest" description="Comments on a line appear below it.">
                <ManifestLines text={version.manifestText} />
              </Card>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <ReviewTimeline review={review} />
            {review.submissionNote !== "" && (
              <Card title="Your note">
                <Markdown>{review.submissionNote}</Markdown>
              </Card>
            )}
            {version !== null && version.releaseNotes !== "" && (
              <Card title="Release notes">
                <Markdown>{version.releaseNotes}</Markdown>
              </Card>
            )}
            <HistoryCard
              reviews={others}
              path={`/publish/${review.appName}/reviews`}
              pager={
                <Pager
                  path={`/publish/${review.appName}/reviews/${review.id}`}
                  parameter="reviews"
                  query={{}}
                  pages={othersPages}
                />
              }
            />
          </div>
        </div>
        {review.state === "PENDING" && <LiveRefresh />}
      </ReviewComments>
    );
  },
);

type Review = OwnReview["review"];

function nameReviewed({ version }: Review): string {
  return version === null ? "Listing text" : `Version ${version.number}`;
}

function Decision({ review: { state, note, kind } }: { review: Review }) {
  if (state === "PENDING" || state === "WITHDRAWN") return null;
  if (state === "APPROVED")
    return (
      <Notice tone="success" title={kind === "TEXT" ? "Approved: the text is public" : "Approved"}>
        {note !== "" && <Markdown>{note}</Markdown>}
      </Notice>
    );
  return (
    <Notice
      tone={state === "REJECTED" ? "danger" : "warning"}
      title={state === "REJECTED" ? "Rejected" : "Changes requested"}
    >
      <Markdown>{note}</Markdown>
      <p className="mt-2">
        {kind === "TEXT"
          ? "Change the text and submit it again."
          : "Publish a version with the fixes and submit it for review."}
      </p>
    </Notice>
  );
}

import { ChevronRight } from "lucide-react";
import { cache, Fragment, type ReactNode } from "react";
import { compareTexts } from "@/components/catalog/editor/changes/compare-texts";
import { ManifestSummary } from "@/components/catalog/marketplace/manifest-summary";
import { Markdown } from "@/components/catalog/marketplace/markdown";
import { CommentsCard } from "@/components/moderation/comment-thread";
import { DecisionForm } from "@/components/moderation/decision-form";
import { EvidencePanel } from "@/components/moderation/evidence-panel";
import { ImageCard } from "@/components/moderation/image-card";
import { ListingTextCard } from "@/components/moderation/listing-text-card";
import { ReviewColumns } from "@/components/moderation/moderation-frame";
import { ManifestReview } from "@/components/moderation/manifest-review";
import { ClaimCard, SandboxCard } from "@/components/moderation/review-actions";
import { RightsCard } from "@/components/moderation/rights-card";
import { ReviewComments } from "@/components/moderation/review-comments";
import { HistoryCard } from "@/components/moderation/review-history";
import { LiveRefresh } from "@/components/platform/live";
import { EgressCard } from "@/components/runtime/egress-card";
import { StateBadge, VisibilityBadge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { PageHeader, Pager } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { isReviewable, isSameManifest } from "@/lib/domain/catalog/listing";
import { listChangedFields } from "@/lib/domain/catalog/listing-text";
import { warnOfPrivacy } from "@/lib/domain/catalog/privacy";
import { viewRights } from "@/lib/domain/catalog/rights";
import { orderParts, type ReviewPart } from "@/lib/domain/moderation/review";
import { type ModeratedReview, readReview } from "@/lib/server/moderation/read-review";
import { readEnforcement } from "@/lib/server/runtime/isolation";
import { page, titled } from "@/lib/server/surface/web/page";

const read = cache(readReview);

export const generateMetadata = titled(
  "/moderation/[reviewId]",
  "Moderation",
  async ({ platform, actor, params, searchParams }) =>
    (await read(platform, actor, params.reviewId ?? "", searchParams.reviews)).review.title,
);

export default page("/moderation/[reviewId]", async ({ platform, actor, params, searchParams }) => {
  const found = await read(platform, actor, params.reviewId ?? "", searchParams.reviews);
  const { review, own, before, image, comments, others, evidence, egress } = found;
  const enforcement = await readEnforcement(platform);
  const { version } = review;
  const isOpen = review.state === "PENDING" && !own && isReviewable(review.listingState);
  const isExample = version?.bundleKind === "example-folder";
  const isTextChanged = before.text !== undefined && listChangedFields(before.text, review.text).length > 0;
  const reviewed = version ?? before.version;
  const warning = reviewed && warnOfPrivacy(reviewed.manifest, review.text.privacy);
  const listingText = (
    <>
      {warning !== undefined && (
        <Notice tone="warning" title="Data may leave the core, and the publisher doesn't say so">
          {warning}
        </Notice>
      )}
      <ListingTextCard text={review.text} before={before.text} />
    </>
  );
  const notes = (
    <>
      {review.submissionNote !== "" && (
        <Card title="Note from the publisher">
          <Markdown>{review.submissionNote}</Markdown>
        </Card>
      )}
      {version !== null && version.releaseNotes !== "" && (
        <Card title="Release notes" description="Published with the version.">
          <Markdown>{version.releaseNotes}</Markdown>
        </Card>
      )}
    </>
  );
  const manifest = version && (
    <ManifestReview
      number={version.number}
      text={version.manifestText}
      image={
        version.imageManifestText === version.manifestText
          ? undefined
          : {
              text: version.imageManifestText,
              isSame: isSameManifest(version.manifestText, version.imageManifestText),
            }
      }
      isExample={isExample}
      before={
        before.version && {
          number: before.version.number,
          text: before.version.manifestText,
          comparison: compareTexts(before.version.manifestText, version.manifestText),
        }
      }
    />
  );
  const order = orderParts({
    kind: version === null ? "TEXT" : "VERSION",
    wasApproved: before.version !== undefined,
    isTextChanged,
  });
  const parts: Record<ReviewPart, ReactNode> = {
    text: listingText,
    manifest,
    notes,
    evidence: version !== null && (
      <EvidencePanel
        reviewId={review.id}
        initial={evidence}
        isOpen={review.state === "PENDING"}
        mayRun={isOpen && found.claim?.mine !== false}
      />
    ),
    egress: egress !== null && <EgressCard view={egress} />,
    image: version !== null && (
      <ImageCard
        imageDigest={version.imageDigest}
        isExample={isExample}
        image={image}
        beforeNumber={before.version?.number}
      />
    ),
    rights: version !== null && (
      <RightsCard rights={viewRights(version.manifest)} enforcement={enforcement} />
    ),
    settings: version !== null && (
      <details
        open={before.version === undefined}
        className="group rounded-card border border-line bg-surface shadow-low"
      >
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-card px-4 py-3 sm:px-6 [&::-webkit-details-marker]:hidden">
          <span className="font-medium text-ink">Settings, mapping fields, and integrations</span>
          <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint group-open:rotate-90" />
        </summary>
        <div className="flex flex-col gap-6 p-4 pt-0 sm:p-6 sm:pt-0">
          <ManifestSummary manifest={version.manifest} />
        </div>
      </details>
    ),
  };
  return (
    <ReviewComments reviewId={review.id} initial={comments} mayWrite={found.mayWrite}>
      <div className="lg:mx-[calc(-1*clamp(0px,calc((100vw-80rem)/2),14rem))]">
        <PageHeader
          back={{ href: "/moderation", text: "Moderation" }}
          title={review.title}
          description={
            <>
              {version === null ? "Listing text" : `Version ${version.number}`} of{" "}
              <span
                translate="no"
                className="font-mono text-small"
              >{`${review.organizationSlug}/${review.appName}`}</span>
              , by {review.organizationName}. Submitted by {review.submittedBy}{" "}
              <RelativeTime at={review.createdAt} />
              {review.state === "PENDING" && (
                <>
                  , due <RelativeTime at={review.dueAt} />
                </>
              )}
              .
            </>
          }
          badges={<StateBadge state={review.state} />}
          actions={
            <span className="flex flex-wrap items-center gap-3">
              <StateBadge state={review.listingState} />
              <VisibilityBadge visibility={review.visibility} />
              <LinkButton href={`/moderation/listings/${review.listingId}`}>Listing</LinkButton>
            </span>
          }
        />
        <ReviewColumns
          decision={
            <>
              {isOpen && <ClaimCard reviewId={review.id} claim={found.claim} />}
              <Outcome {...found} />
              {!own && (
                <DecisionForm
                  reviewId={review.id}
                  title={review.title}
                  version={version && { number: version.number, imageDigest: version.imageDigest, isExample }}
                  evidence={evidence}
                  publishes={review.listingState === "DRAFT"}
                  visibility={review.visibility}
                  refusal={explainRefusal(found)}
                />
              )}
              {isOpen && version !== null && <SandboxCard reviewId={review.id} />}
            </>
          }
        >
          {order.map((part) => (
            <Fragment key={part}>{parts[part]}</Fragment>
          ))}
          <CommentsCard />
          <HistoryCard
            reviews={others}
            path="/moderation"
            pager={
              <Pager
                path={`/moderation/${review.id}`}
                parameter="reviews"
                query={{}}
                pages={found.othersPages}
              />
            }
          />
        </ReviewColumns>
      </div>
      {review.state === "PENDING" && <LiveRefresh />}
    </ReviewComments>
  );
});

/** Who decided, or why this moderator can't. */
function Outcome({ review, own }: ModeratedReview) {
  if (review.state !== "PENDING") {
    return (
      <Notice
        tone={review.state === "APPROVED" ? "success" : "info"}
        title={review.state === "WITHDRAWN" ? "Withdrawn" : `Decided by ${review.decidedBy ?? "a moderator"}`}
      >
        {review.decidedAt !== null && <RelativeTime at={review.decidedAt} />}
        {review.note !== "" && <Markdown>{review.note}</Markdown>}
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
        Retired listings can&apos;t be reviewed.
      </Notice>
    );
  }
  return null;
}

/** Of a decision that a moderator may have been writing meanwhile. */
function explainRefusal({ review, claim }: ModeratedReview): string | undefined {
  const { state, decidedBy, listingState } = review;
  if (state === "WITHDRAWN") return "The publisher withdrew this review.";
  if (state !== "PENDING") return `${decidedBy ?? "Another moderator"} decided this review first.`;
  if (!isReviewable(listingState)) return "The publisher retired this listing.";
  return claim?.mine === false ? `${claim.name} claimed this review, so only they can decide it.` : undefined;
}

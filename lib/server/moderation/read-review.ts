import type { ListingText } from "@/lib/contract/catalog/listing";
import type { CommentView, EvidenceView } from "@/lib/contract/moderation/review";
import type { Pages } from "@/lib/contract/platform/pages";
import { Problem } from "@/lib/contract/platform/problem";
import { claimEnd, currentClaim, participationIn } from "@/lib/domain/moderation/review";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import type { EgressView } from "@/lib/domain/runtime/egress/view-egress";
import { countSharedLayers, type ImageFacts, readImageFacts } from "../images/read-image-facts";
import type { Platform } from "../platform/platform";
import { countComments } from "./comment-queries";
import { listComments } from "./comments";
import { readCheckedEgress, readEvidence } from "./evidence/queue-evidence";
import { readMedianMs, readPlace } from "./queue-queries";
import { readHistory } from "./read-moderated-listings";
import * as queries from "./review-queries";

type ReviewedVersion = NonNullable<queries.ReviewRow["version"]>;

export interface ReviewedImage {
  facts: ImageFacts;
  /** Of the version approved last; undefined without one, or if its archive is gone. */
  before: ImageFacts | undefined;
  sharedLayers: number;
}

/** An earlier or later review of the same listing. */
export type OtherReview = Awaited<ReturnType<typeof queries.selectOtherReviews>>[number] & {
  comments: number;
};

export interface ReviewPage {
  review: queries.ReviewRow;
  comments: CommentView[];
  /** A page of them, newest first. */
  others: OtherReview[];
  othersPages: Pages;
  /** What the automatic checks found so far; null if there were none. */
  evidence: EvidenceView | null;
  /** Which hosts the version tried to reach during them; null if there were none. */
  egress: EgressView | null;
}

export interface ModeratedReview extends ReviewPage {
  /** The listing belongs to one of the moderator's organizations, so another moderator must decide. */
  own: boolean;
  /** Comments: not as a moderator of one's own organization. */
  mayWrite: boolean;
  /** Who has claimed it; null if nobody has. */
  claim: { name: string; mine: boolean; endsAt: Date } | null;
  /** What was approved last. */
  before: { version: ReviewedVersion | undefined; text: ListingText | undefined };
  /** Null for reviews of the text alone, for example apps, and where the archive is not in the store. */
  image: ReviewedImage | null;
}

/** A review as moderators see it. Throws NOT_FOUND. */
export async function readReview(
  platform: Platform,
  moderator: Actor,
  reviewId: string,
  othersAfter?: string,
): Promise<ModeratedReview> {
  const { db } = platform;
  const review = await queries.selectReview(db, reviewId);
  if (review === undefined) throw new Problem("NOT_FOUND");
  const earlier = { listingId: review.listingId, reviewId };
  const [own, version, text, page] = await Promise.all([
    queries.isMemberOf(db, moderator.userId, review.organizationId),
    queries.selectApprovedVersion(db, earlier),
    queries.selectApprovedText(db, earlier),
    readPage(platform, moderator, review, othersAfter),
  ]);
  const holder = review.state === "PENDING" ? currentClaim(review, new Date()) : undefined;
  return {
    ...page,
    own,
    mayWrite: participationIn(moderator, review.organizationId, own) !== "observer",
    claim:
      holder === undefined || review.claimedAt === null
        ? null
        : {
            name: review.claimer ?? "",
            mine: holder === moderator.userId,
            endsAt: claimEnd(review.claimedAt),
          },
    before: { version, text },
    image: review.version === null ? null : await readImage(platform, review.version, version),
  };
}

async function readImage(
  { environment }: Platform,
  version: ReviewedVersion,
  approved: ReviewedVersion | undefined,
): Promise<ReviewedImage | null> {
  if (version.bundleKind !== "image") return null;
  const facts = await readImageFacts(environment, version.archiveDigest);
  if (facts === undefined) return null;
  const before = approved && (await readImageFacts(environment, approved.archiveDigest));
  return { facts, before, sharedLayers: before === undefined ? 0 : countSharedLayers(facts, before) };
}

async function readPage(
  platform: Platform,
  actor: Actor,
  review: queries.ReviewRow,
  othersAfter: string | undefined,
): Promise<ReviewPage> {
  const { rows: others, ...othersPages } = await readHistory(othersAfter, (history) =>
    queries.selectOtherReviews(platform.db, review.listingId, review.id, history),
  );
  const [evidence, egress, { comments }, counts] = await Promise.all([
    readEvidence(platform, review.id),
    review.version === null ? null : readCheckedEgress(platform, review.id, review.version.manifest),
    listComments(platform, actor, review.id),
    countComments(
      platform.db,
      others.map(({ id }) => id),
    ),
  ]);
  return {
    review,
    comments,
    evidence,
    egress,
    othersPages,
    others: others.map((other) => ({ ...other, comments: counts.get(other.id) ?? 0 })),
  };
}

export interface OwnReview extends ReviewPage {
  /** Its place while it waits: 1 is due first. The median is of recent reviews of the same kind, null if there are none. */
  queue: { place: number; medianMs: number | null } | null;
}

/** A review as its publisher sees it. Throws NOT_FOUND for other organizations and another app's review. */
export async function readOwnReview(
  platform: Platform,
  member: Member,
  appName: string,
  reviewId: string,
  othersAfter?: string,
): Promise<OwnReview> {
  const { db } = platform;
  const review = await queries.selectReview(db, reviewId);
  if (review?.organizationId !== member.organization.id || review.appName !== appName)
    throw new Problem("NOT_FOUND");
  const [page, place, medianMs] = await Promise.all([
    readPage(platform, member, review, othersAfter),
    readPlace(db, review),
    readMedianMs(db, review.kind),
  ]);
  return { ...page, queue: review.state === "PENDING" ? { place, medianMs } : null };
}

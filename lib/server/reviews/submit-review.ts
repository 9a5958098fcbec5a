import type { SubmitReviewInput } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { hasSameContent, isReviewable } from "@/lib/domain/listing";
import { compareVersions } from "@/lib/domain/version";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import { writeReleaseNotes } from "../listings/text-queries";
import { queueEvidence } from "../evidence/queue-evidence";
import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { insertReview, selectRejected, selectVerifiedNumbers, selectVersionOfListing } from "./queries";
import { requireComplete } from "./submit-text";

/**
 * Submits a version for moderation. Throws NOT_FOUND for other organizations, WRONG_STATE if it can't be reviewed now, was
 * rejected as it is, or is older than a verified one and `older` is not set.
 */
export async function submitReview(
  platform: Platform,
  member: Member,
  listingId: string,
  { versionId, older = false, note = "", releaseNotes }: SubmitReviewInput,
) {
  const organizationId = member.organization.id;
  const version = await selectVersionOfListing(platform.db, organizationId, listingId, versionId);
  if (version === undefined) throw new Problem("NOT_FOUND");
  if (!isReviewable(version.listingState))
    throw new Problem("WRONG_STATE", `A ${version.listingState.toLowerCase()} listing can't be reviewed.`);
  if (version.verifiedAt !== null)
    throw new Problem("WRONG_STATE", `Version ${version.number} is already verified.`);
  await refuseRejected(platform, listingId, version);
  if (!older) await refuseOlder(platform, listingId, version.number);
  requireComplete(version.text);
  return platform.db.transaction(async (tx) => {
    // Before the review, which fixes them.
    if (releaseNotes !== undefined)
      await writeReleaseNotes(tx, organizationId, listingId, versionId, releaseNotes);
    const reviewId = await insertReview(tx, {
      listingId,
      versionId,
      text: version.text,
      submissionNote: note,
      submittedBy: member.userId,
    }).catch((error: unknown) => {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      throw new Problem("WRONG_STATE", "This listing is already under review. Wait for the decision.");
    });
    await queueEvidence(tx, reviewId);
    await notify(tx, {
      kind: "review-submitted",
      to: { moderators: true },
      title: `${member.organization.name} submitted version ${version.number} of ${version.text.title}`,
      body: note,
      href: `/moderation/${reviewId}`,
      subject: `review:${reviewId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "review.submit",
      subject: `review:${reviewId}`,
      details: { listingId, versionId },
    });
    return { reviewId };
  });
}

type Submitted = NonNullable<Awaited<ReturnType<typeof selectVersionOfListing>>>;

async function refuseRejected(platform: Platform, listingId: string, version: Submitted): Promise<void> {
  const rejected = await selectRejected(platform.db, listingId, version.imageDigest);
  const same = rejected.find((other) => hasSameContent(version, other));
  if (same === undefined) return;
  const what =
    same.number === version.number
      ? `Version ${version.number} was rejected, and versions never change.`
      : `Version ${version.number} has the same image and manifest as version ${same.number}, which was rejected.`;
  throw new Problem(
    "WRONG_STATE",
    `${what} Fix what the moderator's note asks for, publish a new version, and submit that one.`,
  );
}

async function refuseOlder(platform: Platform, listingId: string, number: string): Promise<void> {
  const newest = (await selectVerifiedNumbers(platform.db, listingId)).sort(compareVersions).at(-1);
  if (newest === undefined || compareVersions(number, newest) > 0) return;
  throw new Problem(
    "WRONG_STATE",
    `Version ${number} is older than version ${newest}, which is verified. Submit a newer version, or confirm that you want a review of this one.`,
  );
}

import type { SubmitReviewInput } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { hasSameContent, isReviewable } from "@/lib/domain/listing";
import { nameSubject } from "@/lib/domain/review-names";
import { compareVersions } from "@/lib/domain/version";
import { writeReleaseNotes } from "../listings/text-queries";
import { queueEvidence } from "../evidence/queue-evidence";
import type { Platform } from "../platform/platform";
import { openReview } from "./open-review";
import { selectRejected, selectVerifiedNumbers, selectVersionOfListing } from "./queries";
import { requireComplete } from "./submit-text";

/**
 * Submits a version for moderation. Throws NOT_FOUND for other organizations, WRONG_STATE if it can't be reviewed now, was
 * rejected as it is, or is older than a verified one and `older` is not set.
 */
export async function submitReview(
  platform: Platform,
  agent: Agent,
  listingId: string,
  { versionId, older = false, note = "", releaseNotes }: SubmitReviewInput,
) {
  const organizationId = agent.organization.id;
  const version = await selectVersionOfListing(platform.db, organizationId, listingId, versionId);
  if (version === undefined) throw new Problem("NOT_FOUND");
  if (!isReviewable(version.listingState))
    throw new Problem(
      "WRONG_STATE",
      `A ${version.listingState.toLowerCase()} listing can't be reviewed. To publish again, create another listing.`,
    );
  if (version.verifiedAt !== null)
    throw new Problem(
      "WRONG_STATE",
      `Version ${version.number} is already verified. Choose a version that isn't.`,
    );
  await refuseRejected(platform, listingId, version);
  if (!older) await refuseOlder(platform, listingId, version.number);
  requireComplete(version.text);
  return platform.db.transaction(async (tx) => {
    // Before the review, which fixes them.
    if (releaseNotes !== undefined)
      await writeReleaseNotes(tx, organizationId, listingId, versionId, releaseNotes);
    const reviewId = await openReview(tx, platform, agent, {
      listingId,
      kind: "VERSION",
      versionId,
      note,
      text: version.text,
      subject: nameSubject({ title: version.text.title, version }),
      taken: "This listing is already under review. Wait for the decision.",
      details: { versionId },
    });
    await queueEvidence(tx, reviewId);
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

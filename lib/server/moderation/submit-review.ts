import {
  listingText,
  type ListingText,
  type ReviewKind,
  type SubmitReviewInput,
  type SubmitTextInput,
} from "@/lib/contract/catalog/listing";
import { checkInput, Problem } from "@/lib/contract/platform/problem";
import { hasSameContent, isReviewable } from "@/lib/domain/catalog/listing";
import { checkListing, compareTexts } from "@/lib/domain/catalog/listing-text";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import { nameSubject } from "@/lib/domain/moderation/review";
import { type Agent, type Member, nameActor } from "@/lib/domain/platform/actor";
import { selectOwnText, selectTextDraft, writeReleaseNotes } from "../catalog/listing-queries";
import { type OwnVersion, selectOwnVersion } from "../catalog/version-queries";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { queueEvidence } from "./evidence/queue-evidence";
import { insertReview, selectPending, selectRejected, selectVerifiedNumbers } from "./review-queries";

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
  const version = await selectOwnVersion(platform.db, organizationId, listingId, versionId);
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
  const submit = platform.db.transaction(async (tx) => {
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
  return submit.catch(async (error: unknown) => {
    const repeated = await findRepeated(platform, listingId, { versionId, note, releaseNotes });
    if (repeated === undefined) throw error;
    return { reviewId: repeated };
  });
}

/** The review that an earlier request for exactly this one opened, and that waits still: its answer may have been lost. */
async function findRepeated(
  { db }: Platform,
  listingId: string,
  { versionId, note, releaseNotes }: SubmitReviewInput,
): Promise<string | undefined> {
  const pending = await selectPending(db, listingId, versionId);
  if (pending?.submissionNote !== note) return undefined;
  return releaseNotes === undefined || releaseNotes === pending?.releaseNotes ? pending?.id : undefined;
}

async function refuseRejected(platform: Platform, listingId: string, version: OwnVersion): Promise<void> {
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

/**
 * Submits the saved text of a listing that was public for a review of only the text. Throws NOT_FOUND, WRONG_STATE,
 * STALE_REVISION, or BAD_INPUT with every issue of the text.
 */
export async function submitText(
  platform: Platform,
  member: Member,
  listingId: string,
  { revision, note }: SubmitTextInput,
): Promise<{ reviewId: string }> {
  const organizationId = member.organization.id;
  return platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    if (listing.state !== "PUBLIC" && listing.state !== "SUSPENDED") throw notAlone(listing.state);
    const draft = await selectTextDraft(tx, listingId);
    if (draft?.revision !== revision)
      throw new Problem(
        "STALE_REVISION",
        "The text changed after you loaded it. Reload the page, check the text, then submit it.",
      );
    const text = requireComplete(checkInput(listingText, draft.text));
    if (compareTexts(listing.text, text).length === 0)
      throw new Problem("WRONG_STATE", "This text is already public. Change something, then submit it.");
    const reviewId = await openReview(tx, platform, member, {
      listingId,
      kind: "TEXT",
      versionId: null,
      note,
      text,
      subject: `a change to the text of ${listing.text.title}`,
      taken: "A change to this text is already in review. Withdraw it, or wait for the decision.",
      details: { kind: "TEXT", revision },
    });
    return { reviewId };
  });
}

/** Refuses a text without what every listing needs. */
function requireComplete(text: ListingText): ListingText {
  const issues = checkListing({ text, hasVersion: true, warnings: 0 }).flatMap((item) =>
    item.isRequired && !item.isDone && "field" in item.at
      ? [
          {
            code: "missing" as const,
            pointer: `/${item.at.field.replace(".", "/")}`,
            message: `Missing: ${item.title}.`,
          },
        ]
      : [],
  );
  if (issues.length > 0) throw new Problem("BAD_INPUT", "The listing's text is not complete.", issues);
  return text;
}

function notAlone(state: "DRAFT" | "RETIRED"): Problem {
  return new Problem(
    "WRONG_STATE",
    state === "DRAFT"
      ? "You can't submit only the text of a draft listing. Submit a version: its review includes the text."
      : "The text of a retired listing can't change. Create another listing instead.",
  );
}

interface NewReview {
  listingId: string;
  kind: ReviewKind;
  /** Null for a review of the text alone. */
  versionId: string | null;
  /** As it is reviewed. */
  text: ListingText;
  /** What the member writes to the moderators. */
  note: string;
  /** What is submitted, such as `version 1.4.0 of VIN autofill`. */
  subject: string;
  /** Why there can't be another one, if one of the kind waits already. */
  taken: string;
  /** For the audit trail, besides the listing. */
  details: Record<string, string | number>;
}

/** Submits something for review, and notifies the moderators. Throws WRONG_STATE if a review of the kind waits already. */
async function openReview(
  tx: Db,
  { keyring }: Platform,
  agent: Agent,
  { listingId, kind, versionId, text, note, subject, taken, details }: NewReview,
): Promise<string> {
  const row = { listingId, kind, versionId, text, submissionNote: note, submittedBy: agent.userId };
  const reviewId = await insertReview(tx, row).catch((error: unknown) => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new Problem("WRONG_STATE", taken);
  });
  await notify(tx, {
    kind: "review-submitted",
    to: { moderators: true },
    title: `${agent.organization.name} submitted ${subject}`,
    body: note,
    href: `/moderation/${reviewId}`,
    subject: `review:${reviewId}`,
  });
  await recordAudit(tx, keyring, {
    chain: agent.organization.id,
    actor: nameActor(agent),
    action: "review.submit",
    subject: `review:${reviewId}`,
    details: { listingId, ...details },
  });
  return reviewId;
}

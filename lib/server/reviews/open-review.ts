import type { ListingText, ReviewKind } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import { nameActor, type Agent } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { insertReview } from "./queries";

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

/** Submits something for review, and tells the moderators. Throws WRONG_STATE if a review of the kind waits already. */
export async function openReview(
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

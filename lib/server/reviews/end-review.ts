import type { Agent } from "@/lib/domain/actor";
import { nameSubject } from "@/lib/domain/review-names";
import type { Db } from "../database/connect";
import { cancelEvidence } from "../evidence/queue-evidence";
import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { endSandboxLaunches } from "../review-sandbox/end-sandbox-launches";

/**
 * Ends what runs for a review, in the transaction that decides or withdraws it: automatic checks and moderators' Test
 * Launches.
 */
export async function endReview(
  platform: Platform,
  tx: Db,
  review: { id: string; listingId: string; version: object | null },
): Promise<void> {
  await cancelEvidence(tx, review.id);
  await endSandboxLaunches(platform, tx, review);
}

/** Moderators have nothing left to decide, including those who claimed the review or commented on it. */
export async function tellOfWithdrawal(
  tx: Db,
  { organization }: Agent,
  review: { id: string; title: string; version: { number: string } | null },
  why = "",
): Promise<void> {
  await notify(tx, {
    kind: "review-submitted",
    to: { moderators: true },
    title: `${organization.name} withdrew ${nameSubject(review)}`,
    body: why,
    href: `/moderation/${review.id}`,
    subject: `review:${review.id}`,
  });
}

import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { attemptStateReads } from "@/drizzle/schema/calls";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import { evidence } from "@/drizzle/schema/moderation";
import type { EvidenceCheck, EvidenceFacts } from "@/lib/contract/moderation/review";
import type { Db } from "../../platform/database/connect";
import { endsIn, type Lease, type Leased, leaseTo } from "../../platform/lease-queries";

export async function selectEvidence(db: Db, reviewId: string) {
  const [found] = await db
    .select({
      id: evidence.id,
      state: evidence.state,
      reason: evidence.reason,
      facts: evidence.facts,
      checks: evidence.checks,
      queuedAt: evidence.queuedAt,
      endedAt: evidence.endedAt,
    })
    .from(evidence)
    .where(eq(evidence.reviewId, reviewId));
  return found;
}

/**
 * Queues the checks of a review of a version, even if they have run before. Returns their id; undefined while they wait or run, and once the
 * review has ended, which waits until this is committed.
 */
export async function upsertEvidence(tx: Db, reviewId: string): Promise<string | undefined> {
  const [review] = await tx
    .select({ organizationId: listings.organizationId })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .where(and(eq(reviews.id, reviewId), eq(reviews.kind, "VERSION"), eq(reviews.state, "PENDING")))
    .for("share", { of: reviews });
  if (review === undefined) return undefined;
  const [queued] = await tx
    .insert(evidence)
    .values({ reviewId, organizationId: review.organizationId })
    .onConflictDoUpdate({
      target: evidence.reviewId,
      set: {
        state: "QUEUED",
        facts: null,
        checks: [],
        reason: null,
        tries: 0,
        queuedAt: sql`now()`,
        endedAt: null,
      },
      setWhere: inArray(evidence.state, ["DONE", "FAILED"]),
    })
    .returning({ id: evidence.id });
  return queued?.id;
}

export interface ClaimedEvidence extends Leased {
  reviewId: string;
  /** How often it was begun, this time included. */
  tries: number;
}

/**
 * Claims up to `limit` reviews to check, the oldest first, and one at a time of an organization. Includes those whose
 * worker died.
 */
export async function claimEvidence(db: Db, limit: number, lease: Lease): Promise<ClaimedEvidence[]> {
  const due = sql`(
    select e.id from evidence e
     where e.state in ('QUEUED', 'RUNNING') and (e.leased_until is null or e.leased_until < now())
       and not exists (
         select 1 from evidence other
          where other.organization_id = e.organization_id and other.id <> e.id
            and other.state in ('QUEUED', 'RUNNING')
            and (other.leased_until >= now() or (other.queued_at, other.id) < (e.queued_at, e.id)))
     order by e.queued_at, e.id
     limit ${limit}
     for update skip locked)`;
  const claimed = await db
    .update(evidence)
    .set({ ...leaseTo(lease), state: "RUNNING", tries: sql`${evidence.tries} + 1` })
    .where(sql`${evidence.id} in ${due}`)
    .returning({ id: evidence.id, reviewId: evidence.reviewId, tries: evidence.tries });
  return claimed.map((row) => ({ ...row, claim: lease.claim }));
}

const isClaimed = ({ id, claim }: Leased) =>
  and(eq(evidence.id, id), eq(evidence.leasedBy, claim), eq(evidence.state, "RUNNING"));

/** Whether the checks are still this worker's. */
export async function hasClaim(db: Db, claimed: Leased): Promise<boolean> {
  return (await db.$count(evidence, isClaimed(claimed))) === 1;
}

/** What is known so far. False if the claim is lost. */
export async function saveEvidence(
  db: Db,
  claimed: Leased,
  known: { facts: EvidenceFacts; checks: EvidenceCheck[] },
  leaseSeconds: number,
): Promise<boolean> {
  const saved = await db
    .update(evidence)
    .set({ ...known, leasedUntil: endsIn(leaseSeconds) })
    .where(isClaimed(claimed))
    .returning({ id: evidence.id });
  return saved.length === 1;
}

export type EvidenceEnd = { state: "DONE" } | { state: "FAILED"; reason: string };

/** False if the claim is lost. */
export async function endEvidence(tx: Db, claimed: Leased, end: EvidenceEnd): Promise<boolean> {
  const ended = await tx
    .update(evidence)
    .set({ ...end, endedAt: sql`now()`, leasedUntil: null })
    .where(isClaimed(claimed))
    .returning({ id: evidence.id });
  return ended.length === 1;
}

/** Ends checks that wait or run. What was found so far stays. Returns their id, or undefined if there were none. */
export async function cancelEvidenceRow(tx: Db, reviewId: string): Promise<string | undefined> {
  const [canceled] = await tx
    .update(evidence)
    .set({ state: "CANCELED", endedAt: sql`now()`, leasedUntil: null })
    .where(and(eq(evidence.reviewId, reviewId), inArray(evidence.state, ["QUEUED", "RUNNING"])))
    .returning({ id: evidence.id });
  return canceled?.id;
}

/** The version under review, and the archive of the one that was approved last before it. */
export async function selectChecked(db: Db, reviewId: string) {
  const [found] = await db
    .select({
      listingId: reviews.listingId,
      submittedBy: reviews.submittedBy,
      versionId: versions.id,
      manifest: versions.manifest,
      bundleKind: versions.bundleKind,
      archiveDigest: versions.archiveDigest,
    })
    .from(reviews)
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(eq(reviews.id, reviewId));
  if (found === undefined) throw new Error(`review ${reviewId} has no version`);
  const [approved] = await db
    .select({ archiveDigest: versions.archiveDigest })
    .from(reviews)
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(
      and(
        eq(reviews.listingId, found.listingId),
        eq(reviews.state, "APPROVED"),
        ne(versions.id, found.versionId),
      ),
    )
    .orderBy(desc(reviews.decidedAt))
    .limit(1);
  return { ...found, approvedDigest: approved?.archiveDigest };
}

export type Checked = Awaited<ReturnType<typeof selectChecked>>;

/** How often each of these calls read its state. */
export async function countStateReads(db: Db, attemptIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ attemptId: attemptStateReads.attemptId, count: attemptStateReads.count })
    .from(attemptStateReads)
    .where(inArray(attemptStateReads.attemptId, [...attemptIds]));
  return new Map(rows.map(({ attemptId, count }) => [attemptId, count]));
}

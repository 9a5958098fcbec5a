/**
 * The states of a review and everything that moves it. Each move is one guarded UPDATE, in the transaction of all that comes with it.
 *
 * | from    | to                                       | when                                        | who                  |
 * | ------- | ---------------------------------------- | ------------------------------------------- | -------------------- |
 * | (none)  | PENDING                                  | a publisher submits a version, or a text    | `submit-review.ts`   |
 * | PENDING | APPROVED, CHANGES_REQUESTED, or REJECTED | a moderator decides; nobody else claimed it | `decide-review.ts`   |
 * | PENDING | WITHDRAWN                                | its publisher withdraws it                  | `end-review.ts`      |
 * | PENDING | WITHDRAWN                                | its publisher retires the listing           | `suspend-listing.ts` |
 *
 * All states but PENDING are final. A claim is not a state: it reserves a PENDING review for one moderator, for a day. What a decision
 * does to the listing is in `lib/domain/catalog/listing.ts`.
 */
import { and, desc, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { memberships, organizations, users } from "@/drizzle/schema/accounts";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import type { ReviewState } from "@/lib/contract/catalog/listing";
import { CLAIM_MS, dueDate } from "@/lib/domain/moderation/review";
import type { Db } from "../platform/database/connect";
import { isBeyondId, type Position, sortBy } from "../platform/database/paging";

export async function selectVerifiedNumbers(db: Db, listingId: string): Promise<string[]> {
  const rows = await db
    .select({ number: versions.number })
    .from(versions)
    .where(and(eq(versions.listingId, listingId), isNotNull(versions.verifiedAt)));
  return rows.map(({ number }) => number);
}

/** The listing's versions with this image that a moderator rejected. */
export async function selectRejected(db: Db, listingId: string, imageDigest: string) {
  return db
    .selectDistinct({
      number: versions.number,
      imageDigest: versions.imageDigest,
      manifestText: versions.manifestText,
    })
    .from(reviews)
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(
      and(
        eq(reviews.listingId, listingId),
        eq(reviews.state, "REJECTED"),
        eq(versions.imageDigest, imageDigest),
      ),
    );
}

/** The review of this version that waits. */
export async function selectPending(db: Db, listingId: string, versionId: string) {
  const [review] = await db
    .select({
      id: reviews.id,
      submissionNote: reviews.submissionNote,
      releaseNotes: versions.releaseNotes,
    })
    .from(reviews)
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(
      and(
        eq(reviews.listingId, listingId),
        eq(reviews.versionId, versionId),
        eq(reviews.kind, "VERSION"),
        eq(reviews.state, "PENDING"),
      ),
    );
  return review;
}

/** Sets the due date, which the publisher sees. */
export async function insertReview(
  tx: Db,
  row: Omit<typeof reviews.$inferInsert, "createdAt" | "dueAt">,
): Promise<string> {
  const createdAt = new Date();
  const [review] = await tx
    .insert(reviews)
    .values({ ...row, createdAt, dueAt: dueDate(createdAt, row.kind ?? "VERSION") })
    .returning({ id: reviews.id });
  if (review === undefined) throw new Error("the review was not stored");
  return review.id;
}

const reviewedVersion = {
  id: versions.id,
  number: versions.number,
  bundleKind: versions.bundleKind,
  manifest: versions.manifest,
  manifestText: versions.manifestText,
  imageManifestText: versions.imageManifestText,
  imageDigest: versions.imageDigest,
  archiveDigest: versions.archiveDigest,
  archiveBytes: versions.archiveBytes,
  releaseNotes: versions.releaseNotes,
  createdAt: versions.createdAt,
  verifiedAt: versions.verifiedAt,
};

/** The review with its listing and version (null for a review of only the text), or undefined. */
export async function selectReview(db: Db, reviewId: string) {
  const [claimer, decider] = [alias(users, "claimer"), alias(users, "decider")];
  const [row] = await db
    .select({
      id: reviews.id,
      kind: reviews.kind,
      state: reviews.state,
      submissionNote: reviews.submissionNote,
      note: reviews.note,
      text: reviews.text,
      createdAt: reviews.createdAt,
      dueAt: reviews.dueAt,
      decidedAt: reviews.decidedAt,
      decidedBy: decider.name,
      claimedBy: reviews.claimedBy,
      claimedAt: reviews.claimedAt,
      claimer: claimer.name,
      listingId: listings.id,
      listingState: listings.state,
      visibility: listings.visibility,
      organizationId: listings.organizationId,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
      appName: listings.appName,
      title: listings.title,
      submittedBy: users.name,
      version: reviewedVersion,
    })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(users, eq(users.id, reviews.submittedBy))
    .leftJoin(versions, eq(versions.id, reviews.versionId))
    .leftJoin(claimer, eq(claimer.id, reviews.claimedBy))
    .leftJoin(decider, eq(decider.id, reviews.decidedBy))
    .where(eq(reviews.id, reviewId));
  return row;
}

export type ReviewRow = NonNullable<Awaited<ReturnType<typeof selectReview>>>;

/** A page of a history, newest first. */
export interface HistoryPage {
  position?: Position<string>;
  limit: number;
}

/** The other reviews of a listing, newest first. */
export async function selectOtherReviews(
  db: Db,
  listingId: string,
  reviewId: string,
  { position, limit }: HistoryPage,
) {
  const decider = alias(users, "decider");
  return db
    .select({
      id: reviews.id,
      kind: reviews.kind,
      state: reviews.state,
      note: reviews.note,
      createdAt: reviews.createdAt,
      decidedAt: reviews.decidedAt,
      decidedBy: decider.name,
      number: versions.number,
    })
    .from(reviews)
    .leftJoin(versions, eq(versions.id, reviews.versionId))
    .leftJoin(decider, eq(decider.id, reviews.decidedBy))
    .where(
      and(
        eq(reviews.listingId, listingId),
        ne(reviews.id, reviewId),
        isBeyondId(position, reviews.id, "descending"),
      ),
    )
    .orderBy(...sortBy("descending", position, reviews.id))
    .limit(limit);
}

interface Before {
  listingId: string;
  /** The review that is compared. */
  reviewId: string;
}

/** The version that was approved last before this review. */
export async function selectApprovedVersion(db: Db, { listingId, reviewId }: Before) {
  const [row] = await db
    .select(reviewedVersion)
    .from(reviews)
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(and(eq(reviews.listingId, listingId), eq(reviews.state, "APPROVED"), lt(reviews.id, reviewId)))
    .orderBy(desc(reviews.decidedAt), desc(reviews.id))
    .limit(1);
  return row;
}

/** The text that was approved last before this review. */
export async function selectApprovedText(db: Db, { listingId, reviewId }: Before) {
  const [row] = await db
    .select({ text: reviews.text })
    .from(reviews)
    .where(and(eq(reviews.listingId, listingId), eq(reviews.state, "APPROVED"), lt(reviews.id, reviewId)))
    .orderBy(desc(reviews.decidedAt), desc(reviews.id))
    .limit(1);
  return row?.text;
}

export async function isMemberOf(db: Db, userId: string, organizationId: string): Promise<boolean> {
  const mine = and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId));
  return (await db.$count(memberships, mine)) > 0;
}

/** When a claim must have been made to last until `now`. */
export function claimedSince(now: Date): Date {
  return new Date(now.getTime() - CLAIM_MS);
}

/** Nobody else has claimed the review. */
const isFreeFor = (userId: string) =>
  or(
    isNull(reviews.claimedBy),
    eq(reviews.claimedBy, userId),
    lt(reviews.claimedAt, claimedSince(new Date())),
  );

/** False if it is no longer pending, or another moderator has claimed it. */
export async function claimReviewRow(tx: Db, id: string, userId: string): Promise<boolean> {
  const claimed = await tx
    .update(reviews)
    .set({ claimedBy: userId, claimedAt: new Date() })
    .where(and(eq(reviews.id, id), eq(reviews.state, "PENDING"), isFreeFor(userId)))
    .returning({ id: reviews.id });
  return claimed.length === 1;
}

/** False if this user had not claimed it, or it is no longer pending. */
export async function releaseReviewRow(tx: Db, id: string, userId: string): Promise<boolean> {
  const released = await tx
    .update(reviews)
    .set({ claimedBy: null, claimedAt: null })
    .where(and(eq(reviews.id, id), eq(reviews.state, "PENDING"), eq(reviews.claimedBy, userId)))
    .returning({ id: reviews.id });
  return released.length === 1;
}

interface Decided {
  to: ReviewState;
  note: string;
  decidedBy: string;
}

/** False if it was decided or withdrawn already, or another moderator has claimed it. */
export async function decideReviewRow(
  tx: Db,
  id: string,
  { to, note, decidedBy }: Decided,
): Promise<boolean> {
  const decided = await tx
    .update(reviews)
    .set({ state: to, note, decidedBy, decidedAt: new Date() })
    .where(and(eq(reviews.id, id), eq(reviews.state, "PENDING"), isFreeFor(decidedBy)))
    .returning({ id: reviews.id });
  return decided.length === 1;
}

/** False if it is no longer pending, or another organization's. */
export async function withdrawReviewRow(tx: Db, id: string, organizationId: string): Promise<boolean> {
  const own = tx
    .select({ id: listings.id })
    .from(listings)
    .where(eq(listings.organizationId, organizationId));
  const withdrawn = await tx
    .update(reviews)
    .set({ state: "WITHDRAWN", decidedAt: new Date() })
    .where(and(eq(reviews.id, id), eq(reviews.state, "PENDING"), inArray(reviews.listingId, own)))
    .returning({ id: reviews.id });
  return withdrawn.length === 1;
}

/** Ends every review of a listing that waits for a decision. `version`: null for reviews of only the text. */
export async function withdrawPendingReviews(tx: Db, listingId: string) {
  const rows = await tx
    .update(reviews)
    .set({ state: "WITHDRAWN", decidedAt: new Date() })
    .where(and(eq(reviews.listingId, listingId), eq(reviews.state, "PENDING")))
    .returning({
      id: reviews.id,
      number: sql<string | null>`(select v.number from versions v where v.id = version_id)`,
    });
  return rows.map(({ id, number }) => ({ id, version: number === null ? null : { number } }));
}

export async function verifyVersion(tx: Db, versionId: string): Promise<void> {
  await tx.update(versions).set({ verifiedAt: new Date() }).where(eq(versions.id, versionId));
}

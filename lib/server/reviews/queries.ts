import { and, asc, desc, eq, gt, isNotNull, lt } from "drizzle-orm";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { memberships, organizations, users } from "@/drizzle/schema/organizations";
import type { ReviewState } from "@/lib/contract/listing";
import type { Db } from "../database/connect";
import { contains } from "../database/search";
import { textColumns } from "../listings/queries";

export async function selectVersionOfListing(
  db: Db,
  organizationId: string,
  listingId: string,
  versionId: string,
) {
  const [row] = await db
    .select({
      listingState: listings.state,
      text: textColumns,
      verifiedAt: versions.verifiedAt,
      number: versions.number,
      imageDigest: versions.imageDigest,
      manifestText: versions.manifestText,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(
      and(
        eq(versions.id, versionId),
        eq(listings.id, listingId),
        eq(listings.organizationId, organizationId),
      ),
    );
  return row;
}

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

export async function insertReview(tx: Db, row: typeof reviews.$inferInsert): Promise<string> {
  const [review] = await tx.insert(reviews).values(row).returning({ id: reviews.id });
  if (review === undefined) throw new Error("the review was not stored");
  return review.id;
}

const queueRow = {
  id: reviews.id,
  kind: reviews.kind,
  state: reviews.state,
  note: reviews.note,
  createdAt: reviews.createdAt,
  decidedAt: reviews.decidedAt,
  listingId: listings.id,
  listingState: listings.state,
  organizationId: listings.organizationId,
  organizationSlug: organizations.slug,
  organizationName: organizations.name,
  appName: listings.appName,
  title: listings.title,
  versionId: versions.id,
  versionNumber: versions.number,
  submittedBy: users.name,
};

const reviewedVersion = {
  number: versions.number,
  manifest: versions.manifest,
  manifestText: versions.manifestText,
  imageManifestText: versions.imageManifestText,
  imageDigest: versions.imageDigest,
  archiveBytes: versions.archiveBytes,
  createdAt: versions.createdAt,
};

/** The review with its listing and version, or undefined. */
export async function selectReview(db: Db, reviewId: string) {
  const [row] = await db
    .select({
      ...queueRow,
      text: reviews.text,
      version: reviewedVersion,
    })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .innerJoin(users, eq(users.id, reviews.submittedBy))
    .where(eq(reviews.id, reviewId));
  return row;
}

export type ReviewRow = NonNullable<Awaited<ReturnType<typeof selectReview>>>;

export interface QueueFilter {
  state: ReviewState;
  search?: string;
  /** Cursor: id of the last review on the previous page. */
  after?: string;
  limit: number;
}

export type QueueRow = Awaited<ReturnType<typeof selectQueue>>[number];

/** Pending reviews oldest first, decided ones newest first. Ids sort by creation time. */
export async function selectQueue(db: Db, { state, search, after, limit }: QueueFilter) {
  const waiting = state === "PENDING";
  const beyond = waiting ? gt : lt;
  return db
    .select(queueRow)
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .innerJoin(users, eq(users.id, reviews.submittedBy))
    .where(
      and(
        eq(reviews.state, state),
        contains(search, listings.title, listings.appName, organizations.name),
        after === undefined ? undefined : beyond(reviews.id, after),
      ),
    )
    .orderBy(waiting ? asc(reviews.id) : desc(reviews.id))
    .limit(limit);
}

export async function isMemberOf(db: Db, userId: string, organizationId: string): Promise<boolean> {
  const mine = and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId));
  return (await db.$count(memberships, mine)) > 0;
}

/** False if the review was already decided. */
export async function decideReviewRow(
  tx: Db,
  id: string,
  to: ReviewState,
  note: string,
  decidedBy: string,
): Promise<boolean> {
  const decided = await tx
    .update(reviews)
    .set({ state: to, note, decidedBy, decidedAt: new Date() })
    .where(and(eq(reviews.id, id), eq(reviews.state, "PENDING")))
    .returning({ id: reviews.id });
  return decided.length === 1;
}

export async function verifyVersion(tx: Db, versionId: string): Promise<void> {
  await tx.update(versions).set({ verifiedAt: new Date() }).where(eq(versions.id, versionId));
}

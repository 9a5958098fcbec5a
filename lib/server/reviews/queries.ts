import { and, asc, desc, eq } from "drizzle-orm";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { organizations, users } from "@/drizzle/schema/organizations";
import type { ReviewState } from "@/lib/contract/listing";
import type { Db } from "../database/connect";

export async function selectVersionOfListing(db: Db, organizationId: string, listingId: string, versionId: string) {
  const [row] = await db
    .select({ listingState: listings.state, verifiedAt: versions.verifiedAt, number: versions.number })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(versions.id, versionId), eq(listings.id, listingId), eq(listings.organizationId, organizationId)));
  return row;
}

export async function insertReview(tx: Db, row: typeof reviews.$inferInsert): Promise<string> {
  const [review] = await tx.insert(reviews).values(row).returning({ id: reviews.id });
  if (review === undefined) throw new Error("the review was not stored");
  return review.id;
}

const queueRow = {
  id: reviews.id,
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

function joined(db: Db) {
  return db
    .select({ ...queueRow, about: listings.about, requirements: listings.requirements, version: versions })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .innerJoin(users, eq(users.id, reviews.submittedBy));
}

export type ReviewRow = NonNullable<Awaited<ReturnType<typeof selectReview>>>;

export async function selectReview(db: Db, reviewId: string) {
  const [row] = await joined(db).where(eq(reviews.id, reviewId));
  return row;
}

/** What waits comes oldest first, what is decided newest first. */
export async function selectReviewsByState(db: Db, state: ReviewState, limit: number) {
  return joined(db)
    .where(eq(reviews.state, state))
    .orderBy(state === "PENDING" ? asc(reviews.createdAt) : desc(reviews.createdAt))
    .limit(limit);
}

/** True when this call decided it; false when someone was first. */
export async function decideReviewRow(tx: Db, id: string, to: ReviewState, note: string, decidedBy: string): Promise<boolean> {
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

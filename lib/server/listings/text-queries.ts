import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { listingDrafts, listings, reviews, versions } from "@/drizzle/schema/listings";
import { users } from "@/drizzle/schema/organizations";
import type { ListingText } from "@/lib/contract/listing";
import type { Db } from "../database/connect";
import { textColumns } from "./queries";

const ownListing = (organizationId: string, listingId: string) =>
  and(eq(listings.id, listingId), eq(listings.organizationId, organizationId));

/** The organization's own listing with its public text. With `lock`, its state can't change until the transaction ends. */
export async function selectOwnText(db: Db, organizationId: string, listingId: string, lock = false) {
  const query = db
    .select({ state: listings.state, appName: listings.appName, text: textColumns })
    .from(listings)
    .where(ownListing(organizationId, listingId));
  const [listing] = await (lock ? query.for("update") : query);
  return listing;
}

export async function selectTextDraft(db: Db, listingId: string) {
  const [draft] = await db
    .select({
      text: listingDrafts.text,
      revision: listingDrafts.revision,
      updatedAt: listingDrafts.updatedAt,
      updatedBy: users.name,
    })
    .from(listingDrafts)
    .leftJoin(users, eq(sql`'user:' || ${users.id}`, listingDrafts.updatedBy))
    .where(eq(listingDrafts.listingId, listingId));
  return draft;
}

/** Overwrites revision `expected` (0: nothing saved yet). Undefined if there is another revision. */
export async function writeTextDraft(
  tx: Db,
  draft: { listingId: string; text: ListingText; updatedBy: string },
  expected: number,
) {
  const { listingId, ...values } = draft;
  const outcome = { revision: listingDrafts.revision, updatedAt: listingDrafts.updatedAt };
  const next = { ...values, revision: sql`${listingDrafts.revision} + 1`, updatedAt: sql`now()` };
  const there = and(eq(listingDrafts.listingId, listingId), eq(listingDrafts.revision, expected));
  const [written] =
    expected === 0
      ? await tx.insert(listingDrafts).values(draft).onConflictDoNothing().returning(outcome)
      : await tx.update(listingDrafts).set(next).where(there).returning(outcome);
  return written;
}

/** The newest review of only the text. */
export async function selectTextReview(db: Db, listingId: string) {
  const [review] = await db
    .select({
      id: reviews.id,
      state: reviews.state,
      note: reviews.note,
      text: reviews.text,
      createdAt: reviews.createdAt,
    })
    .from(reviews)
    .where(and(eq(reviews.listingId, listingId), eq(reviews.kind, "TEXT")))
    .orderBy(desc(reviews.id))
    .limit(1);
  return review;
}

/** False if the version is verified or under review. */
export async function writeReleaseNotes(
  tx: Db,
  organizationId: string,
  listingId: string,
  versionId: string,
  notes: string,
): Promise<boolean> {
  const own = tx.select({ id: listings.id }).from(listings).where(ownListing(organizationId, listingId));
  const written = await tx
    .update(versions)
    .set({ releaseNotes: notes })
    .where(
      and(
        eq(versions.id, versionId),
        inArray(versions.listingId, own),
        sql`${versions.verifiedAt} is null`,
        sql`not exists (select 1 from ${reviews} r where r.version_id = ${versionId} and r.state = 'PENDING')`,
      ),
    )
    .returning({ id: versions.id });
  return written.length === 1;
}

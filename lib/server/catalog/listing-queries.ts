import { and, asc, desc, eq, inArray, isNotNull, or, sql, type SQL } from "drizzle-orm";
import { organizations, users } from "@/drizzle/schema/accounts";
import { listingDrafts, listings, reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import type {
  ListingInput,
  ListingState,
  ListingText,
  ReviewKind,
  ReviewState,
} from "@/lib/contract/catalog/listing";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Db } from "../platform/database/connect";
import { containsFolded, hasWords, searchWords } from "../platform/database/expressions";
import {
  byKey,
  isBeyondId,
  isBeyondKey,
  type KeyCursor,
  type Order,
  type Position,
  sortBy,
  sortByKey,
  type Sorting,
} from "../platform/database/paging";

/** The public text: the columns of `ListingText`. */
export const textColumns = {
  title: listings.title,
  tagline: listings.tagline,
  category: listings.category,
  about: listings.about,
  requirements: listings.requirements,
  links: listings.links,
  terms: listings.terms,
  privacy: listings.privacy,
  icon: listings.icon,
  screenshots: listings.screenshots,
};

const card = {
  ...textColumns,
  id: listings.id,
  organizationId: listings.organizationId,
  organizationSlug: organizations.slug,
  organizationName: organizations.name,
  appName: listings.appName,
  state: listings.state,
  visibility: listings.visibility,
  createdAt: listings.createdAt,
  updatedAt: listings.updatedAt,
};

/** A listing with its organization's names. */
export type ListingRow = Awaited<ReturnType<typeof selectListings>>[number];

export async function insertListing(tx: Db, organizationId: string, input: ListingInput): Promise<string> {
  const [listing] = await tx
    .insert(listings)
    .values({ organizationId, ...input })
    .returning({ id: listings.id });
  if (listing === undefined) throw new Error("the listing was not stored");
  return listing.id;
}

interface ListingFilter {
  /** The organization whose listings they are. */
  ownedBy: string;
  search?: string;
  limit: number;
}

/** Sorted by title. */
export async function selectListings(db: Db, { ownedBy, search, limit }: ListingFilter) {
  const own = eq(listings.organizationId, ownedBy);
  return db
    .select(card)
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(own, matchesListing(search)))
    .orderBy(asc(listings.title), asc(listings.id))
    .limit(limit);
}

/** The names contain the search as typed, or each of its words is found somewhere. */
export function matchesListing(search: string | undefined): SQL | undefined {
  if (search === undefined) return undefined;
  const words = searchWords(search);
  return or(
    containsFolded(search, listings.title, listings.appName),
    words.length === 0 ? undefined : hasWords(listings.searchTexts, words),
  );
}

export async function selectOwnListing(db: Db, organizationId: string, appName: string) {
  const [row] = await db
    .select(card)
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)));
  return row;
}

const versionColumns = {
  id: versions.id,
  number: versions.number,
  imageDigest: versions.imageDigest,
  archiveBytes: versions.archiveBytes,
  createdAt: versions.createdAt,
  verifiedAt: versions.verifiedAt,
  releaseNotes: versions.releaseNotes,
};

export const VERSION_ORDERS = ["newest", "oldest", "highest", "lowest"] as const;

interface VersionPage {
  order: (typeof VERSION_ORDERS)[number];
  position: Position<KeyCursor> | undefined;
  limit: number;
}

/** For lists in the order of version numbers, then of ids. */
export const byNumber = (order: Order): Sorting => ({
  by: sql`string_to_array(${versions.number}, '.')::numeric[]`,
  type: "numeric[]",
  order,
});

export const BY_NUMBER = byKey<{ id: string; number: string }>(
  "numeric[]",
  ({ number }) => `{${number.replaceAll(".", ",")}}`,
);

/** A page of versions with each one's newest review, without their manifests. */
export async function selectVersionPage(db: Db, listingId: string, { order, position, limit }: VersionPage) {
  const direction = order === "oldest" || order === "lowest" ? "ascending" : "descending";
  const sorting = order === "highest" || order === "lowest" ? byNumber(direction) : undefined;
  // Names the table itself: Drizzle would leave it out, and the inner query has columns of the same names.
  const review = sql<ReviewState | null>`(
    select r.state from ${reviews} r where r.version_id = ${versions}.id order by r.id desc limit 1)`;
  const reviewId = sql<string | null>`(
    select r.id from ${reviews} r where r.version_id = ${versions}.id order by r.id desc limit 1)`;
  return db
    .select({ ...versionColumns, review, reviewId })
    .from(versions)
    .where(
      and(
        eq(versions.listingId, listingId),
        sorting === undefined
          ? isBeyondId(position, versions.id, direction)
          : isBeyondKey(sorting, position, versions.id),
      ),
    )
    .orderBy(
      ...(sorting === undefined
        ? sortBy(direction, position, versions.id)
        : sortByKey(sorting, position, versions.id)),
    )
    .limit(limit);
}

export async function countVersions(db: Db, listingId: string): Promise<number> {
  return db.$count(versions, eq(versions.listingId, listingId));
}

/** The version that was published last. */
export async function selectLastVersion(db: Db, listingId: string) {
  const [last] = await db
    .select(versionColumns)
    .from(versions)
    .where(eq(versions.listingId, listingId))
    .orderBy(desc(versions.id))
    .limit(1);
  return last;
}

/** What a listing's versions and reviews are together, whichever of them a page shows. */
export async function selectVersionFacts(db: Db, listingId: string) {
  const isVerified = and(eq(versions.listingId, listingId), isNotNull(versions.verifiedAt));
  const verified = db
    .select({ number: versions.number })
    .from(versions)
    .where(isVerified)
    .orderBy(desc(versions.id))
    .limit(1);
  const highest = db
    .select({ number: versions.number })
    .from(versions)
    .where(isVerified)
    .orderBy(desc(byNumber("descending").by))
    .limit(1);
  const [newest, [lastVerified], [highestVerified], waiting] = await Promise.all([
    selectLastVersion(db, listingId),
    verified,
    highest,
    db.$count(reviews, and(eq(reviews.listingId, listingId), eq(reviews.state, "PENDING"))),
  ]);
  return {
    newest,
    /** The number of the version that was published last among those that are verified. */
    verified: lastVerified?.number,
    highestVerified: highestVerified?.number,
    isWaiting: waiting > 0,
  };
}

/** Whether moderation verified anything of the organization. */
export async function hasVerifiedVersion(db: Db, organizationId: string): Promise<boolean> {
  const found = await db
    .select({ id: versions.id })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(listings.organizationId, organizationId), isNotNull(versions.verifiedAt)))
    .limit(1);
  return found.length === 1;
}

export async function selectManifest(db: Db, versionId: string): Promise<Manifest | undefined> {
  const [row] = await db
    .select({ manifest: versions.manifest })
    .from(versions)
    .where(eq(versions.id, versionId));
  return row?.manifest;
}

/** The newest review of a listing, or of a kind, with the number of its version. */
export async function selectNewestReview(db: Db, listingId: string, kind?: ReviewKind) {
  const [review] = await db
    .select({
      id: reviews.id,
      kind: reviews.kind,
      state: reviews.state,
      note: reviews.note,
      number: versions.number,
      createdAt: reviews.createdAt,
      decidedAt: reviews.decidedAt,
    })
    .from(reviews)
    .leftJoin(versions, eq(versions.id, reviews.versionId))
    .where(and(eq(reviews.listingId, listingId), kind === undefined ? undefined : eq(reviews.kind, kind)))
    .orderBy(desc(reviews.id))
    .limit(1);
  return review;
}

/** States of installations that are not uninstalled. */
export const LIVE_STATES = ["LAUNCHING", "RUNNING", "ERROR", "STOPPING", "STOPPED"] as const;

/** An installation counts as somebody's. Trials don't: they end by themselves, and anyone can start them. */
export const isCounted = sql<boolean>`not exists (
  select from tenants trying where trying.id = ${installations}.tenant_id and trying.trial_ends_at is not null)`;

export async function countInstallations(db: Db, listingId: string): Promise<number> {
  return db.$count(
    installations,
    and(eq(installations.listingId, listingId), inArray(installations.state, [...LIVE_STATES]), isCounted),
  );
}

/** Replaces the public text. */
export async function applyListingText(tx: Db, listingId: string, text: ListingText): Promise<void> {
  await tx
    .update(listings)
    .set({ ...text, updatedAt: new Date() })
    .where(eq(listings.id, listingId));
}

/** False if the listing is no longer in the state `from`. */
export async function moveListing(
  tx: Db,
  id: string,
  from: ListingState,
  to: ListingState,
): Promise<boolean> {
  const moved = await tx
    .update(listings)
    .set({ state: to, updatedAt: new Date() })
    .where(and(eq(listings.id, id), eq(listings.state, from)))
    .returning({ id: listings.id });
  return moved.length === 1;
}

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

import { and, asc, desc, eq, inArray, or, sql, type SQL } from "drizzle-orm";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { installations } from "@/drizzle/schema/installations";
import { organizations } from "@/drizzle/schema/organizations";
import type { ListingInput, ListingState, ListingText } from "@/lib/contract/listing";
import type { Manifest } from "@/lib/contract/manifest";
import type { Db } from "../database/connect";
import { contains, hasWords, searchWords } from "../database/search";

/** The public text: the columns of `ListingText`. */
export const textColumns = {
  title: listings.title,
  tagline: listings.tagline,
  category: listings.category,
  about: listings.about,
  requirements: listings.requirements,
  links: listings.links,
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

export interface ListingFilter {
  /** The organization whose listings they are. */
  ownedBy: string;
  search?: string;
  /** Id of the last listing on the previous page. */
  after?: string;
  limit: number;
}

/** Sorted by title. */
export async function selectListings(db: Db, { ownedBy, search, after, limit }: ListingFilter) {
  const own = eq(listings.organizationId, ownedBy);
  return db
    .select(card)
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(
      and(
        own,
        search === undefined ? undefined : matches(search),
        after === undefined ? undefined : beyond(db, after, own),
      ),
    )
    .orderBy(asc(listings.title), asc(listings.id))
    .limit(limit);
}

/** The names contain the search as typed, or each of its words is found somewhere. */
function matches(search: string): SQL | undefined {
  const words = searchWords(search);
  return or(
    contains(search, listings.title, listings.appName),
    words.length === 0
      ? undefined
      : hasWords(
          listings.searchTexts,
          words.map((word) => [word]),
        ),
  );
}

/** After this listing in the order of titles. An id out of scope sorts first. */
function beyond(db: Db, id: string, scope: SQL | undefined): SQL {
  const title = db
    .select({ title: listings.title })
    .from(listings)
    .where(and(eq(listings.id, id), scope));
  return sql`(${listings.title}, ${listings.id}) > (coalesce((${title}), ''), ${id}::uuid)`;
}

export async function selectOwnListing(db: Db, organizationId: string, appName: string) {
  const [row] = await db
    .select(card)
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)));
  return row;
}

/** Newest first, without their manifests. */
export async function selectVersions(db: Db, listingId: string) {
  return db
    .select({
      id: versions.id,
      number: versions.number,
      imageDigest: versions.imageDigest,
      archiveBytes: versions.archiveBytes,
      createdAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
      releaseNotes: versions.releaseNotes,
    })
    .from(versions)
    .where(eq(versions.listingId, listingId))
    .orderBy(desc(versions.id));
}

export async function selectManifest(db: Db, versionId: string): Promise<Manifest | undefined> {
  const [row] = await db
    .select({ manifest: versions.manifest })
    .from(versions)
    .where(eq(versions.id, versionId));
  return row?.manifest;
}

export async function selectReviews(db: Db, listingId: string) {
  return db.select().from(reviews).where(eq(reviews.listingId, listingId)).orderBy(desc(reviews.id));
}

/** States of installations that are not uninstalled. */
export const LIVE_STATES = ["LAUNCHING", "RUNNING", "ERROR", "STOPPING", "STOPPED"] as const;

export async function countInstallations(db: Db, listingId: string): Promise<number> {
  return db.$count(
    installations,
    and(eq(installations.listingId, listingId), inArray(installations.state, [...LIVE_STATES])),
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

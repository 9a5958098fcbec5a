import { and, arrayContains, desc, eq, isNotNull, ne, or, sql, type SQL } from "drizzle-orm";
import { listings, searchTerms, versions } from "@/drizzle/schema/listings";
import { organizations } from "@/drizzle/schema/organizations";
import type { Category } from "@/lib/contract/listing";
import type { Connection } from "@/lib/contract/marketplace";
import type { SearchCursor } from "@/lib/domain/marketplace/search-cursor";
import type { Db } from "../database/connect";
import { hasWords } from "../database/search";
import { textColumns } from "../listings/queries";

export interface ListingSearch {
  /** Each group has words of letters and digits, one of which a listing has. No groups: all listings. */
  words: readonly (readonly string[])[];
  category?: Category;
  connections?: Connection[];
  organizationId?: string;
  after?: SearchCursor;
  limit: number;
}

/** In the order of their ranks. */
const RANKED = [
  listings.searchNames,
  listings.searchTagline,
  listings.searchConnections,
  listings.searchTexts,
];

const isPublic = eq(listings.state, "PUBLIC");

/** A Markdown text is cut: a card shows its first words, and only where there is no tagline. */
const card = {
  id: listings.id,
  organizationSlug: organizations.slug,
  organizationName: organizations.name,
  appName: listings.appName,
  title: listings.title,
  tagline: listings.tagline,
  product: sql<string>`case when ${listings.tagline} = '' then left(${listings.about} ->> 'product', 4000) else '' end`,
  icon: listings.icon,
  publicSince: sql<Date>`${listings.publicSince}`.mapWith(listings.publicSince),
};

/** Best rank first, then newest first. */
export async function searchListings(db: Db, search: ListingSearch) {
  const found = findListings(search);
  const rank = sql<number>`found.rank`;
  return db
    .select({ ...card, rank })
    .from(listings)
    .innerJoin(sql`(${found}) as found`, sql`found.id = ${listings.id}`)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .orderBy(rank, desc(listings.publicSince), desc(listings.id))
    .limit(search.limit);
}

/**
 * Ids and ranks of at most `limit` listings of each rank. A rank is only looked at while the better ones don't fill the page
 * (PostgreSQL tests such a condition once, before it scans): a common word costs as little as a rare one.
 */
function findListings({
  words,
  category,
  connections = [],
  organizationId,
  after,
  limit,
}: ListingSearch): SQL {
  const filter = and(
    isPublic,
    category === undefined ? undefined : eq(listings.category, category),
    organizationId === undefined ? undefined : eq(listings.organizationId, organizationId),
    connections.length === 0 ? undefined : arrayContains(listings.connections, connections),
  );
  const first = after?.rank ?? 0;
  const ranks = (words.length === 0 ? [0] : RANKED.map((_, rank) => rank)).filter((rank) => rank >= first);
  const parts = ranks.map((rank) => {
    const matches = words.length === 0 ? undefined : matchesAt(rank, words);
    const enough = ranks
      .filter((better) => better < rank)
      .map((better) => sql`(select count(*) from ${name(better)})`);
    const where = and(
      enough.length === 0 ? undefined : sql`${sql.join(enough, sql` + `)} < ${limit}`,
      filter,
      matches,
      rank === after?.rank ? beyond(after) : undefined,
    );
    return sql`${name(rank)} as materialized (select ${listings.id} as id, ${sql.raw(String(rank))} as rank from ${listings}
      where ${where} order by ${listings.publicSince} desc, ${listings.id} desc limit ${limit})`;
  });
  const all = ranks.map((rank) => sql`select id, rank from ${name(rank)}`);
  return sql`with ${sql.join(parts, sql`, `)} ${sql.join(all, sql` union all `)}`;
}

/** `rank` is one of our numbers. */
const name = (rank: number) => sql.raw(`rank_${rank}`);

function beyond({ publicSince, id }: SearchCursor): SQL {
  return sql`(${listings.publicSince}, ${listings.id}) < (${publicSince.toISOString()}::timestamptz, ${id}::uuid)`;
}

/** Has all words, and some only in what this rank adds. */
function matchesAt(rank: number, words: ListingSearch["words"]): SQL | undefined {
  const [vector, better] = [RANKED[rank], RANKED[rank - 1]];
  if (vector === undefined) return undefined;
  return better === undefined
    ? hasWords(vector, words)
    : and(hasWords(vector, words), sql`not ${hasWords(better, words)}`);
}

/** Words of what is or was public that begin with this one; if none do, those that are most similar by trigrams. */
export async function selectSimilarWords(db: Db, word: string, limit: number) {
  const isPrefix = sql`${searchTerms.word} like ${`${word}%`}`;
  const rows = await db
    .select({ word: searchTerms.word, isPrefix: sql<boolean>`${isPrefix}` })
    .from(searchTerms)
    .where(or(isPrefix, sql`${searchTerms.word} % ${word}`))
    .orderBy(sql`${isPrefix} desc`, sql`similarity(${searchTerms.word}, ${word}) desc`, searchTerms.word)
    .limit(limit);
  const prefixed = rows.filter((row) => row.isPrefix && row.word !== word);
  return (prefixed.length > 0 ? prefixed : rows).map((row) => row.word);
}

/** Who looks: a member of this organization, a moderator, or a visitor. */
export interface Viewer {
  organizationId?: string;
  moderator: boolean;
}

/** Public listings, those of the viewer's organization, and all for moderators, but no retired ones. */
export async function selectVisibleListing(
  db: Db,
  organizationSlug: string,
  appName: string,
  viewer: Viewer,
) {
  const { organizationId, moderator } = viewer;
  const own = organizationId === undefined ? undefined : eq(listings.organizationId, organizationId);
  const unpublished = moderator ? sql`true` : own;
  const [row] = await db
    .select({
      ...textColumns,
      id: listings.id,
      organizationId: listings.organizationId,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
      appName: listings.appName,
      state: listings.state,
      updatedAt: listings.updatedAt,
    })
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(
      and(
        eq(organizations.slug, organizationSlug),
        eq(listings.appName, appName),
        unpublished === undefined ? isPublic : or(isPublic, and(unpublished, ne(listings.state, "RETIRED"))),
      ),
    );
  return row;
}

/** Newest first. */
export async function selectShownVersions(
  db: Db,
  listingId: string,
  { all, limit }: { all: boolean; limit: number },
) {
  return db
    .select({
      id: versions.id,
      number: versions.number,
      imageDigest: versions.imageDigest,
      createdAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
      releaseNotes: versions.releaseNotes,
    })
    .from(versions)
    .where(and(eq(versions.listingId, listingId), all ? undefined : isNotNull(versions.verifiedAt)))
    .orderBy(desc(versions.id))
    .limit(limit);
}

/** An organization that has a public listing. */
export async function selectPublisher(db: Db, slug: string) {
  const [row] = await db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      since: sql<Date>`min(${listings.publicSince})`.mapWith(listings.publicSince),
      apps: sql<number>`count(*)::int`,
    })
    .from(organizations)
    .innerJoin(listings, and(eq(listings.organizationId, organizations.id), isPublic))
    .where(eq(organizations.slug, slug))
    .groupBy(organizations.id);
  return row;
}

/** The first id of each group of `size` public listings. */
export async function selectSitemapStarts(db: Db, size: number): Promise<string[]> {
  const numbered = db
    .select({ id: listings.id, at: sql<number>`row_number() over (order by ${listings.id})`.as("at") })
    .from(listings)
    .where(isPublic)
    .as("numbered");
  const rows = await db
    .select({ id: numbered.id })
    .from(numbered)
    .where(sql`${numbered.at} % ${size} = 1`)
    .orderBy(numbered.id);
  return rows.map(({ id }) => id);
}

export async function selectSitemapListings(db: Db, from: string, size: number) {
  return db
    .select({
      organizationSlug: organizations.slug,
      appName: listings.appName,
      updatedAt: listings.updatedAt,
    })
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(isPublic, sql`${listings.id} >= ${from}::uuid`))
    .orderBy(listings.id)
    .limit(size);
}

/** Slugs of organizations with a public listing. */
export async function selectSitemapPublishers(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ slug: organizations.slug })
    .from(organizations)
    .innerJoin(listings, and(eq(listings.organizationId, organizations.id), isPublic))
    .orderBy(organizations.slug)
    .limit(limit);
  return rows.map(({ slug }) => slug);
}

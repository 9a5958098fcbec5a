import { and, eq, gte, isNotNull, sql } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import type { Db } from "../platform/database/connect";
import { isBeyondId, type Position, sortBy } from "../platform/database/paging";
import { isListed, standingColumns } from "./access-queries";
import { textColumns } from "./listing-queries";

/** Verified domains of the row's organization, a few. A failing one counts until it is lost. */
const verifiedDomains = sql<string[]>`array(
  select d.domain from organization_domains d
   where d.organization_id = ${organizations}.id and d.state in ('VERIFIED', 'FAILING') order by d.domain limit 3)`;

/** By its names, or by its id. */
export type ListingName = { organizationSlug: string; appName: string } | { id: string };

/** In any state. The rule of `lib/domain/catalog/access.ts` decides who sees it. */
export async function selectListing(db: Db, name: ListingName, organizationId: string | undefined) {
  const [row] = await db
    .select({
      ...textColumns,
      ...standingColumns(organizationId),
      id: listings.id,
      organizationId: listings.organizationId,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
      /** Where its publisher can be reached; may be empty. */
      organizationSupport: organizations.supportAddress,
      organizationDomains: verifiedDomains,
      appName: listings.appName,
      state: listings.state,
      usedBy: listings.usedBy,
      updatedAt: listings.updatedAt,
    })
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(
      "id" in name
        ? eq(listings.id, name.id)
        : and(eq(organizations.slug, name.organizationSlug), eq(listings.appName, name.appName)),
    );
  return row;
}

/** Newest first. */
export async function selectShownVersions(
  db: Db,
  listingId: string,
  { all, position, limit }: { all: boolean; position?: Position<string>; limit: number },
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
    .where(
      and(
        eq(versions.listingId, listingId),
        all ? undefined : isNotNull(versions.verifiedAt),
        isBeyondId(position, versions.id, "descending"),
      ),
    )
    .orderBy(...sortBy("descending", position, versions.id))
    .limit(limit);
}

/** An organization that has a listing that everyone finds. */
export async function selectPublisher(db: Db, slug: string) {
  const [row] = await db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      description: organizations.description,
      website: organizations.website,
      supportAddress: organizations.supportAddress,
      domains: verifiedDomains,
      since: sql<Date>`min(${listings.publicSince})`.mapWith(listings.publicSince),
      apps: sql<number>`count(*)::int`,
    })
    .from(organizations)
    .innerJoin(listings, and(eq(listings.organizationId, organizations.id), isListed))
    .where(eq(organizations.slug, slug))
    .groupBy(organizations.id);
  return row;
}

/** The first id of each group of `size` listings that everyone finds. */
export async function selectSitemapStarts(db: Db, size: number): Promise<string[]> {
  const numbered = db
    .select({ id: listings.id, at: sql<number>`row_number() over (order by ${listings.id})`.as("at") })
    .from(listings)
    .where(isListed)
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
    .where(and(isListed, sql`${listings.id} >= ${from}::uuid`))
    .orderBy(listings.id)
    .limit(size);
}

const publicPublishers = (db: Db) =>
  db
    .selectDistinct({ slug: organizations.slug })
    .from(organizations)
    .innerJoin(listings, and(eq(listings.organizationId, organizations.id), isListed));

/** The first slug of each group of `size` organizations with a public listing. */
export async function selectSitemapPublisherStarts(db: Db, size: number): Promise<string[]> {
  const publishers = publicPublishers(db).as("publishers");
  const numbered = db
    .select({
      slug: publishers.slug,
      at: sql<number>`row_number() over (order by ${publishers.slug})`.as("at"),
    })
    .from(publishers)
    .as("numbered");
  const rows = await db
    .select({ slug: numbered.slug })
    .from(numbered)
    .where(sql`${numbered.at} % ${size} = 1`)
    .orderBy(numbered.slug);
  return rows.map(({ slug }) => slug);
}

/** Slugs of organizations with a public listing. */
export async function selectSitemapPublishers(
  db: Db,
  from: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await publicPublishers(db)
    .where(from === undefined ? undefined : gte(organizations.slug, from))
    .orderBy(organizations.slug)
    .limit(limit);
  return rows.map(({ slug }) => slug);
}

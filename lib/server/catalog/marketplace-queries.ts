import { and, desc, eq, gte, inArray, isNotNull, lt, ne, or, sql } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import type { Host } from "@/lib/contract/catalog/manifest";
import type { Db } from "../platform/database/connect";
import { textColumns } from "./listing-queries";

const isPublic = eq(listings.state, "PUBLIC");

/** The viewer: a member of this organization, a moderator, or a visitor. */
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
      /** Where its publisher can be reached; may be empty. */
      organizationSupport: organizations.supportAddress,
      appName: listings.appName,
      state: listings.state,
      usedBy: listings.usedBy,
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
  { all, before, limit }: { all: boolean; before?: string; limit: number },
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
        before === undefined ? undefined : lt(versions.id, before),
      ),
    )
    .orderBy(desc(versions.id))
    .limit(limit);
}

/** What a card says of the version that customers launch: the newest verified one. */
export async function selectCardVersions(db: Db, listingIds: readonly string[]) {
  const newest = db
    .select({
      number: versions.number,
      /** Only this part of a manifest, which may be large. Null: any host. */
      hosts: sql<Host[] | null>`${versions.manifest} #> '{core,hosts}'`.as("hosts"),
    })
    .from(versions)
    .where(and(eq(versions.listingId, listings.id), isNotNull(versions.verifiedAt)))
    .orderBy(desc(versions.id))
    .limit(1)
    .as("newest");
  const select = db
    .select({
      id: listings.id,
      connections: listings.connections,
      number: newest.number,
      hosts: newest.hosts,
    })
    .from(listings)
    .innerJoinLateral(newest, sql`true`)
    .where(inArray(listings.id, [...listingIds]));
  const rows = listingIds.length === 0 ? [] : await select;
  return new Map(rows.map((row) => [row.id, row]));
}

/** An organization that has a public listing. */
export async function selectPublisher(db: Db, slug: string) {
  const [row] = await db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      description: organizations.description,
      website: organizations.website,
      supportAddress: organizations.supportAddress,
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

const publicPublishers = (db: Db) =>
  db
    .selectDistinct({ slug: organizations.slug })
    .from(organizations)
    .innerJoin(listings, and(eq(listings.organizationId, organizations.id), isPublic));

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

/** The rule of `lib/domain/catalog/access.ts` in SQL, for everything that lists, counts or finds listings. */
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { listings, namedOrganizations, reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import type { ListingVisibility, NamedFor, ReviewState } from "@/lib/contract/catalog/listing";
import type { Category } from "@/lib/contract/catalog/listing-terms";
import type { Host } from "@/lib/contract/catalog/manifest";
import type { Db } from "../platform/database/connect";
import { hasWords } from "../platform/database/expressions";

/** It takes launches and upgrades. `table`: the listings of the statement, or their alias. */
export const publicIn = (table: string) => `${table}.state = 'PUBLIC'`;

/** Everyone finds it. The indexes of lists and of the search have the same condition. */
export const listedIn = (table: string) => `${publicIn(table)} and ${table}.visibility = 'EVERYONE'`;

export const isPublic = sql.raw(publicIn("listings"));
export const isListed = sql.raw(listedIn("listings"));

/** The listing of the row names the organization. */
export const isNamedFor = (namedFor: NamedFor, organizationId: string) =>
  sql<boolean>`exists (
    select 1 from ${namedOrganizations} named
     where named.listing_id = ${listings}.id and named.organization_id = ${organizationId}
       and named.named_for = ${namedFor})`;

/**
 * The listing of the row is offered to an organization, whatever its state: `isOffered` of the rule.
 * @param hasLink whether somebody there has its link
 */
export const isOfferedTo = (organizationId: SQL, hasLink: SQL) =>
  sql<boolean>`(${listings.organizationId} = ${organizationId} or case ${listings.visibility}
    when 'LINK' then ${hasLink}
    when 'NAMED' then exists (
      select 1 from ${namedOrganizations} named
       where named.listing_id = ${listings.id} and named.organization_id = ${organizationId})
    else true end)`;

const isInstalledBy = (organizationId: string) =>
  sql<boolean>`exists (
    select 1 from ${installations} having_it
     where having_it.listing_id = ${listings}.id and having_it.organization_id = ${organizationId}
       and not having_it.test and having_it.state <> 'UNINSTALLED')`;

/** The state of the newest review of a version: of `versions`, or of an alias. */
export const newestReview = (versionId: SQL = sql`${versions}.id`) =>
  sql<ReviewState | null>`(
    select deciding.state from ${reviews} deciding where deciding.version_id = ${versionId} order by deciding.id desc limit 1)`;

/** What decides whether an organization may see and launch the listing. Without one, nothing. */
export function standingColumns(organizationId: string | undefined) {
  const no = sql<boolean>`false`;
  return {
    visibility: listings.visibility,
    linkHash: listings.linkHash,
    named: organizationId === undefined ? no : isNamedFor("VIEW", organizationId),
    installed: organizationId === undefined ? no : isInstalledBy(organizationId),
    pilot: organizationId === undefined ? no : isNamedFor("PILOT", organizationId),
  };
}

/** Of a listing that is locked by then: a change that committed meanwhile counts. */
export async function selectStanding(db: Db, listingId: string, organizationId: string) {
  const [found] = await db
    .select({
      organizationId: listings.organizationId,
      state: listings.state,
      ...standingColumns(organizationId),
    })
    .from(listings)
    .where(eq(listings.id, listingId));
  return found;
}

/** What a card says of the version that customers launch. */
export interface CardVersion {
  number: string;
  /** Null: any host. */
  hosts: Host[] | null;
}

/** Of the newest verified one, only the parts that a card shows: a manifest may be large. `table`: as in `publicIn`. */
export const cardVersionIn = (table: string) => `(
  select jsonb_build_object('number', launched.number, 'hosts', launched.manifest #> '{core,hosts}')
    from versions launched where launched.listing_id = ${table}.id and launched.verified_at is not null
   order by launched.id desc limit 1)`;

/** Public listings that name the organization, and that no list shows to others: the newest first. They have all words. */
export async function selectNamingListings(
  db: Db,
  organizationId: string,
  { words, category, limit }: { words: readonly (readonly string[])[]; category?: Category; limit: number },
) {
  const isFound = and(
    words.length === 0 ? undefined : hasWords(listings.searchTexts, words),
    category === undefined ? undefined : eq(listings.category, category),
  );
  const naming = db
    .select({ id: namedOrganizations.listingId })
    .from(namedOrganizations)
    .where(
      and(eq(namedOrganizations.organizationId, organizationId), eq(namedOrganizations.namedFor, "VIEW")),
    );
  return db
    .select({
      id: listings.id,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
      appName: listings.appName,
      title: listings.title,
      tagline: listings.tagline,
      product: sql<string>`case when ${listings.tagline} = '' then left(${listings.about} ->> 'product', 4000) else '' end`,
      icon: listings.icon,
      usedBy: listings.usedBy,
      connections: listings.connections,
      version: sql<CardVersion | null>`${sql.raw(cardVersionIn("listings"))}`,
      place: sql<number>`0`,
      publicSince: sql<Date>`${listings.publicSince}`.mapWith(listings.publicSince),
      total: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(listings)
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(and(isPublic, eq(listings.visibility, "NAMED"), inArray(listings.id, naming), isFound))
    .orderBy(sql`${listings.publicSince} desc`, sql`${listings.id} desc`)
    .limit(limit);
}

const parts = (number: SQL) => sql`string_to_array(${number}, '.')::numeric[]`;

/** The version of the row may be tried by pilots: `stageOf` of the rule. */
export const isPilotVersion = sql`${versions}.verified_at is null
  and coalesce(${newestReview()}, 'PENDING') = 'PENDING'`;

/** What pilots of a listing can try: the highest version that no moderator decided about, above the highest verified one. */
export async function selectPilotVersion(db: Db, listingId: string) {
  const number = parts(sql`${versions.number}`);
  const verified = sql`(
    select max(string_to_array(done.number, '.')::numeric[]) from ${versions} done
     where done.listing_id = ${listingId} and done.verified_at is not null)`;
  const [found] = await db
    .select({ versionId: versions.id, number: versions.number })
    .from(versions)
    .where(and(eq(versions.listingId, listingId), isPilotVersion, sql`${number} > ${verified}`))
    .orderBy(sql`${number} desc`)
    .limit(1);
  return found;
}

/** What its publisher set, with the token of its link, sealed and hashed. */
export async function selectOffer(db: Db, listingId: string) {
  const [found] = await db
    .select({
      organizationId: listings.organizationId,
      visibility: listings.visibility,
      linkSealed: listings.linkSealed,
      linkHash: listings.linkHash,
    })
    .from(listings)
    .where(eq(listings.id, listingId));
  return found;
}

/** Locks the organization's own listing: launches wait until the change is committed. */
export async function lockOffer(tx: Db, organizationId: string, listingId: string) {
  const [found] = await tx
    .select({
      id: listings.id,
      organizationId: listings.organizationId,
      appName: listings.appName,
      title: listings.title,
      state: listings.state,
      visibility: listings.visibility,
      linkSealed: listings.linkSealed,
    })
    .from(listings)
    .where(and(eq(listings.id, listingId), eq(listings.organizationId, organizationId)))
    .for("update");
  return found;
}

/** The listing of which the organization is a pilot, locked as for a change of who is one. */
export async function lockPiloted(tx: Db, listingId: string, organizationId: string) {
  const [found] = await tx
    .select({ organizationId: listings.organizationId, appName: listings.appName, title: listings.title })
    .from(listings)
    .where(and(eq(listings.id, listingId), isNamedFor("PILOT", organizationId)))
    .for("update");
  return found;
}

export async function updateOffer(
  tx: Db,
  listingId: string,
  change: { visibility?: ListingVisibility; linkSealed?: string; linkHash?: string },
): Promise<void> {
  const { visibility } = change;
  // A worker counts again who uses what everyone finds.
  const hidden = visibility === undefined || visibility === "EVERYONE" ? {} : { usedBy: 0 };
  await tx
    .update(listings)
    .set({ ...change, ...hidden })
    .where(eq(listings.id, listingId));
}

/** Of these slugs, those of organizations. */
export async function selectOrganizations(db: Db, slugs: readonly string[]) {
  if (slugs.length === 0) return [];
  return db
    .select({ id: organizations.id, slug: organizations.slug, name: organizations.name })
    .from(organizations)
    .where(and(inArray(organizations.slug, [...slugs]), sql`not ${organizations.moderation}`));
}

/** By slug. */
export async function selectNamed(db: Db, listingId: string, namedFor: NamedFor) {
  return db
    .select({ id: organizations.id, slug: organizations.slug, name: organizations.name })
    .from(namedOrganizations)
    .innerJoin(organizations, eq(organizations.id, namedOrganizations.organizationId))
    .where(and(eq(namedOrganizations.listingId, listingId), eq(namedOrganizations.namedFor, namedFor)))
    .orderBy(organizations.slug);
}

export async function insertNamed(
  tx: Db,
  listingId: string,
  namedFor: NamedFor,
  organizationIds: readonly string[],
): Promise<void> {
  if (organizationIds.length === 0) return;
  const rows = organizationIds.map((organizationId) => ({ listingId, namedFor, organizationId }));
  await tx.insert(namedOrganizations).values(rows).onConflictDoNothing();
}

export async function deleteNamed(
  tx: Db,
  listingId: string,
  namedFor: NamedFor,
  organizationIds: readonly string[],
): Promise<void> {
  if (organizationIds.length === 0) return;
  await tx
    .delete(namedOrganizations)
    .where(
      and(
        eq(namedOrganizations.listingId, listingId),
        eq(namedOrganizations.namedFor, namedFor),
        inArray(namedOrganizations.organizationId, [...organizationIds]),
      ),
    );
}

/** Requests to launch an app, and who may launch what in an organization. */
import { and, count, desc, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { organizations, users } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import { allowedApps, launchRequests } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { LaunchRequestState, LaunchRules } from "@/lib/contract/installations/launch-request";
import type { OutdatedBy } from "@/lib/domain/installations/launch-request";
import { isOfferedTo, newestReview } from "../../catalog/access-queries";
import type { Db } from "../../platform/database/connect";
import { containsFolded } from "../../platform/database/expressions";
import {
  isBeyondId,
  isBeyondKey,
  type KeyCursor,
  type Position,
  sortBy,
  sortByKey,
  type Sorting,
} from "../../platform/database/paging";
import { DAY_MS, deletePage, inPages, type Page, type Range } from "../../platform/retention-queries";

/** The rules of an organization, and whether it allows the listing. */
export async function selectRules(db: Db, organizationId: string, listingId: string) {
  const [found] = await db
    .select({
      membersAsk: organizations.membersAsk,
      onlyAllowedApps: organizations.onlyAllowedApps,
      isAllowed: sql<boolean>`exists (select from ${allowedApps} allowed
        where allowed.organization_id = ${organizationId} and allowed.listing_id = ${listingId})`,
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (found === undefined) throw new Error(`organization ${organizationId} does not exist`);
  return found;
}

export async function selectLaunchRules(db: Db, organizationId: string): Promise<LaunchRules> {
  const [found] = await db
    .select({ membersAsk: organizations.membersAsk, onlyAllowedApps: organizations.onlyAllowedApps })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (found === undefined) throw new Error(`organization ${organizationId} does not exist`);
  return found;
}

/** False if it has these rules already. */
export async function updateRules(
  tx: Db,
  organizationId: string,
  { membersAsk, onlyAllowedApps }: Partial<LaunchRules>,
): Promise<boolean> {
  const changed = await tx
    .update(organizations)
    .set({ membersAsk, onlyAllowedApps })
    .where(
      and(
        eq(organizations.id, organizationId),
        sql`(${organizations.membersAsk}, ${organizations.onlyAllowedApps}) is distinct from
          (coalesce(${membersAsk ?? null}, ${organizations.membersAsk}),
           coalesce(${onlyAllowedApps ?? null}, ${organizations.onlyAllowedApps}))`,
      ),
    )
    .returning({ id: organizations.id });
  return changed.length === 1;
}

/** Locks the listing, so that it is not suspended before the request is stored. */
export async function lockRequested(tx: Db, versionId: string) {
  const [found] = await tx
    .select({
      versionId: versions.id,
      listingId: listings.id,
      title: listings.title,
      publisherId: listings.organizationId,
      verifiedAt: versions.verifiedAt,
      review: newestReview(),
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.id, versionId))
    .for("share", { of: listings });
  return found;
}

/** Undefined if the member has an open request for the same app and tenant. */
export async function insertRequest(
  tx: Db,
  row: typeof launchRequests.$inferInsert,
): Promise<string | undefined> {
  const [stored] = await tx
    .insert(launchRequests)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: launchRequests.id });
  return stored?.id;
}

interface Asked {
  organizationId: string;
  requestedBy: string;
  listingId: string;
}

const isUsable = and(
  eq(launchRequests.state, "APPROVED"),
  isNull(launchRequests.usedAt),
  gt(launchRequests.validUntil, sql`now()`),
);

const askedBy = ({ organizationId, requestedBy, listingId }: Asked) =>
  and(
    eq(launchRequests.organizationId, organizationId),
    eq(launchRequests.requestedBy, requestedBy),
    eq(launchRequests.listingId, listingId),
  );

/** The member's newest request for each tenant, with whether it lets the member launch now. */
export async function selectAsked(db: Db, asked: Asked) {
  return db
    .selectDistinctOn([launchRequests.tenantId], {
      id: launchRequests.id,
      tenantId: launchRequests.tenantId,
      tenantName: tenants.name,
      state: launchRequests.state,
      answer: launchRequests.answer,
      createdAt: launchRequests.createdAt,
      validUntil: launchRequests.validUntil,
      isUsed: sql<boolean>`${launchRequests.usedAt} is not null`,
      isUsable: sql<boolean>`${isUsable}`,
    })
    .from(launchRequests)
    .innerJoin(tenants, eq(tenants.id, launchRequests.tenantId))
    .where(askedBy(asked))
    .orderBy(launchRequests.tenantId, desc(launchRequests.id));
}

/** An approval that the member can use, locked: launches at the same time can't use one twice. */
export async function lockApproval(tx: Db, asked: Asked, tenantId: string): Promise<string | undefined> {
  const [oldest] = await tx
    .select({ id: launchRequests.id })
    .from(launchRequests)
    .where(and(askedBy(asked), eq(launchRequests.tenantId, tenantId), isUsable))
    .orderBy(launchRequests.id)
    .limit(1)
    .for("update");
  return oldest?.id;
}

export async function spendApproval(tx: Db, id: string): Promise<void> {
  await tx
    .update(launchRequests)
    .set({ usedAt: sql`now()` })
    .where(eq(launchRequests.id, id));
}

/** Why the request of the row is outdated, if it is open; null if it can still be decided. Joined: listing and tenant. */
const outdatedBy = sql<OutdatedBy | null>`case
  when ${listings.state} = 'SUSPENDED' then 'SUSPENDED'
  when ${listings.state} <> 'PUBLIC' then 'RETIRED'
  when not exists (select from ${versions} offered
         where offered.listing_id = ${listings.id} and offered.verified_at is not null) then 'RECALLED'
  when not ${isOfferedTo(sql`${launchRequests.organizationId}`, sql`${launchRequests.withLink}`)} then 'HIDDEN'
  when ${tenants.disconnectedAt} is not null then 'TENANT_GONE'
  when exists (select from installations having_it
         where having_it.listing_id = ${listings.id} and having_it.tenant_id = ${tenants.id}
           and not having_it.test and having_it.state <> 'UNINSTALLED') then 'INSTALLED'
  when not exists (select from memberships asking
         where asking.organization_id = ${launchRequests.organizationId} and asking.user_id = ${launchRequests.requestedBy})
    then 'MEMBER_GONE'
  end`;

const deciders = alias(users, "deciders");
const publishers = alias(organizations, "publishers");

const columns = {
  id: launchRequests.id,
  organizationId: launchRequests.organizationId,
  state: launchRequests.state,
  outdatedBy,
  note: launchRequests.note,
  answer: launchRequests.answer,
  createdAt: launchRequests.createdAt,
  endedAt: launchRequests.endedAt,
  validUntil: launchRequests.validUntil,
  usedAt: launchRequests.usedAt,
  requestedBy: launchRequests.requestedBy,
  requester: users.name,
  decider: deciders.name,
  listingId: listings.id,
  title: listings.title,
  appName: listings.appName,
  publisherSlug: publishers.slug,
  tenantName: tenants.name,
  number: versions.number,
};

const selectRows = (db: Db) =>
  db
    .select(columns)
    .from(launchRequests)
    .innerJoin(listings, eq(listings.id, launchRequests.listingId))
    .innerJoin(publishers, eq(publishers.id, listings.organizationId))
    .innerJoin(tenants, eq(tenants.id, launchRequests.tenantId))
    .innerJoin(versions, eq(versions.id, launchRequests.versionId))
    .innerJoin(users, eq(users.id, launchRequests.requestedBy))
    .leftJoin(deciders, eq(deciders.id, launchRequests.decidedBy));

interface RequestMatch {
  /** Of this member only. */
  requestedBy?: string;
  search?: string;
}

interface RequestFilter extends RequestMatch {
  open: boolean;
  position?: Position<string>;
  limit: number;
}

const isOpen = eq(launchRequests.state, "OPEN");

const matchesRequest = (organizationId: string, { requestedBy, search }: RequestMatch) =>
  and(
    eq(launchRequests.organizationId, organizationId),
    requestedBy === undefined ? undefined : eq(launchRequests.requestedBy, requestedBy),
    containsFolded(search, listings.title, listings.appName, tenants.name, users.name),
  );

/** Newest first. */
export async function selectRequests(db: Db, organizationId: string, filter: RequestFilter) {
  const { open, position, limit } = filter;
  return selectRows(db)
    .where(
      and(
        matchesRequest(organizationId, filter),
        open ? isOpen : ne(launchRequests.state, "OPEN"),
        isBeyondId(position, launchRequests.id, "descending"),
      ),
    )
    .orderBy(...sortBy("descending", position, launchRequests.id))
    .limit(limit);
}

/** How many match, that are open and that ended. */
export async function countRequests(db: Db, organizationId: string, match: RequestMatch) {
  const [counts] = await db
    .select({
      open: sql<number>`(count(*) filter (where ${isOpen}))::int`,
      ended: sql<number>`(count(*) filter (where not ${isOpen}))::int`,
    })
    .from(launchRequests)
    .innerJoin(listings, eq(listings.id, launchRequests.listingId))
    .innerJoin(tenants, eq(tenants.id, launchRequests.tenantId))
    .innerJoin(users, eq(users.id, launchRequests.requestedBy))
    .where(matchesRequest(organizationId, match));
  if (counts === undefined) throw new Error("an aggregate returned no row");
  return counts;
}

export async function countOpenRequests(
  db: Db,
  organizationId: string,
  requestedBy: string | undefined,
): Promise<number> {
  return db.$count(
    launchRequests,
    and(
      eq(launchRequests.organizationId, organizationId),
      isOpen,
      requestedBy === undefined ? undefined : eq(launchRequests.requestedBy, requestedBy),
    ),
  );
}

/** One of the organization's requests, locked: two decisions come one after the other. */
export async function lockRequest(tx: Db, organizationId: string, id: string) {
  const isIt = and(eq(launchRequests.id, id), eq(launchRequests.organizationId, organizationId));
  await tx.select({ id: launchRequests.id }).from(launchRequests).where(isIt).for("update");
  const [found] = await selectRows(tx).where(isIt);
  return found;
}

interface Ending {
  state: Exclude<LaunchRequestState, "OPEN">;
  answer: string;
  decidedBy?: string;
  /** From now on. */
  validDays?: number;
}

/** False if it is not open anymore. */
export async function endRequest(
  tx: Db,
  id: string,
  { state, answer, decidedBy, validDays }: Ending,
): Promise<boolean> {
  const validUntil: SQL | null =
    validDays === undefined ? null : sql`now() + make_interval(days => ${validDays})`;
  const ended = await tx
    .update(launchRequests)
    .set({ state, answer, decidedBy, validUntil, endedAt: sql`now()` })
    .where(and(eq(launchRequests.id, id), isOpen))
    .returning({ id: launchRequests.id });
  return ended.length === 1;
}

/** The member's approvals of launches that are possible now, the first to end first. */
export async function selectUsable(db: Db, organizationId: string, requestedBy: string, limit: number) {
  return db
    .select({
      id: launchRequests.id,
      title: listings.title,
      appName: listings.appName,
      publisherSlug: publishers.slug,
      tenantName: tenants.name,
      validUntil: sql<Date>`${launchRequests.validUntil}`.mapWith(launchRequests.validUntil),
      /** The app's page and its launch open only with the app's link. */
      needsLink: sql<boolean>`${listings.visibility} = 'LINK' and ${listings.organizationId} <> ${organizationId}`,
    })
    .from(launchRequests)
    .innerJoin(listings, eq(listings.id, launchRequests.listingId))
    .innerJoin(publishers, eq(publishers.id, listings.organizationId))
    .innerJoin(tenants, eq(tenants.id, launchRequests.tenantId))
    .where(
      and(
        eq(launchRequests.organizationId, organizationId),
        eq(launchRequests.requestedBy, requestedBy),
        isUsable,
        sql`${outdatedBy} is null`,
        // An owner may have removed the app from the list since.
        sql`exists (select from ${organizations} allowing
          where allowing.id = ${organizationId} and (not allowing.only_allowed_apps or exists (
            select from ${allowedApps} allowed
             where allowed.organization_id = ${organizationId} and allowed.listing_id = ${listings.id})))`,
      ),
    )
    .orderBy(launchRequests.validUntil, launchRequests.id)
    .limit(limit);
}

/** Open requests that are outdated, of all organizations, oldest first. */
export async function selectOutdated(db: Db, limit: number) {
  return selectRows(db)
    .where(and(isOpen, sql`${outdatedBy} is not null`))
    .orderBy(launchRequests.id)
    .limit(limit);
}

const KEPT_MS = 180 * DAY_MS;

/** Deletes requests that were declined, withdrawn or outdated before `cutoff`, or whose approval was used or ended before. Open ones stay. */
function deleteRequests(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  const isOver = sql`t.state <> 'OPEN'
    and coalesce(t.used_at, t.valid_until, t.ended_at) < ${cutoff.toISOString()}`;
  return deletePage(tx, range, sql`launch_requests`, isOver);
}

export const REQUEST_RETENTION = inPages("launchRequests", KEPT_MS, deleteRequests);

/** False if it is allowed already. */
export async function insertAllowed(tx: Db, row: typeof allowedApps.$inferInsert): Promise<boolean> {
  const stored = await tx
    .insert(allowedApps)
    .values(row)
    .onConflictDoNothing()
    .returning({ listingId: allowedApps.listingId });
  return stored.length === 1;
}

/** False if it is not allowed. */
export async function deleteAllowed(tx: Db, organizationId: string, listingId: string): Promise<boolean> {
  const deleted = await tx
    .delete(allowedApps)
    .where(and(eq(allowedApps.organizationId, organizationId), eq(allowedApps.listingId, listingId)))
    .returning({ listingId: allowedApps.listingId });
  return deleted.length === 1;
}

interface AllowedFilter {
  search?: string;
  position?: Position<KeyCursor>;
  limit: number;
}

const matchesAllowed = (organizationId: string, search: string | undefined) =>
  and(
    eq(allowedApps.organizationId, organizationId),
    containsFolded(search, listings.title, listings.appName, publishers.name),
  );

export async function countAllowed(db: Db, organizationId: string, search?: string): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(allowedApps)
    .innerJoin(listings, eq(listings.id, allowedApps.listingId))
    .innerJoin(publishers, eq(publishers.id, listings.organizationId))
    .where(matchesAllowed(organizationId, search));
  return found?.count ?? 0;
}

const BY_TITLE: Sorting = { by: listings.title, type: "text", order: "ascending" };

/** By title. */
export async function selectAllowed(
  db: Db,
  organizationId: string,
  { search, position, limit }: AllowedFilter,
) {
  return db
    .select({
      id: listings.id,
      title: listings.title,
      appName: listings.appName,
      state: listings.state,
      publisherSlug: publishers.slug,
      publisherName: publishers.name,
      allowedBy: users.name,
      createdAt: allowedApps.createdAt,
    })
    .from(allowedApps)
    .innerJoin(listings, eq(listings.id, allowedApps.listingId))
    .innerJoin(publishers, eq(publishers.id, listings.organizationId))
    .innerJoin(users, eq(users.id, allowedApps.allowedBy))
    .where(and(matchesAllowed(organizationId, search), isBeyondKey(BY_TITLE, position, listings.id)))
    .orderBy(...sortByKey(BY_TITLE, position, listings.id))
    .limit(limit);
}

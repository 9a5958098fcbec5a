import { and, type AnyColumn, desc, eq, inArray, isNull, ne, sql, type SQL } from "drizzle-orm";
import { organizations, users } from "@/drizzle/schema/accounts";
import { routes } from "@/drizzle/schema/calls";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { suspensions } from "@/drizzle/schema/moderation";
import type { InstallationState, UninstallReason } from "@/lib/contract/catalog/installation-states";
import { Problem } from "@/lib/contract/platform/problem";
import type { Role } from "@/lib/contract/platform/role";
import { isId } from "@/lib/contract/platform/text";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { isMoving, mayOperate } from "@/lib/domain/calls/installation";
import { countsAsOwn } from "../accounts/member-queries";
import { isPublic } from "../catalog/access-queries";
import { isTrial } from "../insight/call-log/scope-queries";
import type { Db } from "../platform/database/connect";
import { containsFolded } from "../platform/database/expressions";
import {
  isBeyondKey,
  type KeyCursor,
  type Position,
  selectKey,
  sortByKey,
  type Sorting,
} from "../platform/database/paging";
import type { DeclaredRoute } from "./declared-routes";
import { lastAccepted } from "./terms-queries";

const summary = {
  id: installations.id,
  versionId: installations.versionId,
  state: installations.state,
  reason: installations.reason,
  reasonCode: installations.reasonCode,
  test: installations.test,
  createdAt: installations.createdAt,
  updatedAt: installations.updatedAt,
  title: listings.title,
  appName: listings.appName,
  publisherSlug: organizations.slug,
  publisherName: organizations.name,
  number: versions.number,
  tenantName: tenants.name,
  tenantHostName: tenants.hostName,
  tenantSandbox: tenants.sandbox,
  /** When the trial ends, if it is one. */
  trialEndsAt: tenants.trialEndsAt,
};

export const INSTALLATION_SORTS = {
  newest: { by: installations.createdAt, type: "timestamptz", order: "descending" },
  name: { by: sql`lower(${listings.title})`, type: "text", order: "ascending" },
  tenant: { by: sql`lower(${tenants.name})`, type: "text", order: "ascending" },
} as const satisfies Record<string, Sorting>;

/** Errors first, then those that are down, then those that are degraded. Health is not stored, so it is given. */
export function byUrgency(down: readonly string[], degraded: readonly string[]): Sorting {
  const { id, state } = installations;
  const by = sql`case when ${state} = 'ERROR' then 3 when ${id} = any(${sql.param(down)}::uuid[]) then 2
    when ${id} = any(${sql.param(degraded)}::uuid[]) then 1 else 0 end`;
  return { by, type: "integer", order: "descending" };
}

interface InstallationFilter {
  search?: string;
  state?: InstallationState;
  /** The newest first without one. */
  sorting?: Sorting;
  position?: Position<KeyCursor>;
  limit: number;
}

const parts = (number: SQL | AnyColumn) => sql`string_to_array(${number}, '.')::numeric[]`;

/** The newest version that an installation can be upgraded to, by the rules of `newestAbove`; null if there is none. */
const upgradeTo = sql<string | null>`(
  select newer.number from ${versions} newer
  where newer.listing_id = ${installations.listingId} and ${parts(sql`newer.number`)} > ${parts(versions.number)}
    and case when ${installations.test} then ${listings.state} <> 'RETIRED'
        and ${listings.organizationId} = ${installations.organizationId}
      else ${isPublic} and newer.verified_at is not null end
  order by ${parts(sql`newer.number`)} desc limit 1)`;

const matchesSearch = (organizationId: string, search: string | undefined) =>
  and(
    eq(installations.organizationId, organizationId),
    containsFolded(search, listings.title, listings.appName, tenants.name, tenants.hostName),
  );

/** Includes uninstalled ones only if the filter asks for them. */
export async function selectInstallations(db: Db, organizationId: string, filter: InstallationFilter) {
  const { sorting = INSTALLATION_SORTS.newest } = filter;
  return db
    .select({ ...summary, upgradeTo, cursor: selectKey(sorting) })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        matchesSearch(organizationId, filter.search),
        filter.state === undefined
          ? ne(installations.state, "UNINSTALLED")
          : eq(installations.state, filter.state),
        isBeyondKey(sorting, filter.position, installations.id),
      ),
    )
    .orderBy(...sortByKey(sorting, filter.position, installations.id))
    .limit(filter.limit);
}

/** How many of the matching installations are in each state, with those that run, whose health is not stored, unless they are more than `most`. */
export async function countStates(db: Db, organizationId: string, search: string | undefined, most: number) {
  const { id, state, versionId } = installations;
  return db
    .select({
      state,
      count: sql<number>`count(*)::int`,
      installations: sql<{ id: string; versionId: string }[] | null>`
        case when ${state} = 'RUNNING' and count(*) <= ${most}
             then json_agg(json_build_object('id', ${id}, 'versionId', ${versionId})) end`,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(matchesSearch(organizationId, search))
    .groupBy(state);
}

/** One of the organization's installations. Throws NOT_FOUND for any other. */
export async function requireInstallation(db: Db, organizationId: string, id: string) {
  if (!isId(id)) throw new Problem("NOT_FOUND");
  const [found] = await db
    .select({
      ...summary,
      organizationId: installations.organizationId,
      tenantId: installations.tenantId,
      listingId: installations.listingId,
      listingState: listings.state,
      suspension: sql<string | null>`(
        select s.reason from ${suspensions} s where s.listing_id = ${listings.id} and s.reinstated_at is null)`,
      publisherId: listings.organizationId,
      supportAddress: organizations.supportAddress,
      links: listings.links,
      terms: listings.terms,
      acceptedTerms: lastAccepted,
      revision: installations.revision,
      installedAt: installations.installedAt,
      createdBy: users.name,
      routeBase: installations.routeBase,
      manifest: versions.manifest,
      imageDigest: versions.imageDigest,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .innerJoin(users, eq(users.id, installations.createdBy))
    .where(and(eq(installations.id, id), eq(installations.organizationId, organizationId)));
  if (found === undefined) throw new Problem("NOT_FOUND");
  return found;
}

export async function selectRoutes(db: Db, installationId: string) {
  return db
    .select({
      id: routes.id,
      kind: routes.kind,
      path: routes.path,
      name: routes.name,
      patterns: routes.patterns,
      endedAt: routes.endedAt,
      access: routes.access,
      openedAt: routes.openedAt,
    })
    .from(routes)
    .where(and(eq(routes.installationId, installationId), isNull(routes.removedAt)))
    .orderBy(routes.kind, routes.path);
}

/**
 * Declared routes keep their `routeId` or get one. A removed route that is declared again gets its old one back. A public
 * endpoint stays open or closed unless it is newly public (`newlyPublic`): then the customer's new answer counts.
 */
export async function upsertRoutes(
  tx: Db,
  installationId: string,
  declared: readonly DeclaredRoute[],
): Promise<void> {
  await tx
    .insert(routes)
    .values(declared.map((route) => ({ ...route, installationId })))
    .onConflictDoUpdate({
      target: [routes.installationId, routes.kind, routes.path],
      set: {
        name: sql`excluded.name`,
        patterns: sql`excluded.patterns`,
        access: sql`excluded.access`,
        openedAt: sql`case when ${routes.removedAt} is null and ${routes.access} = excluded.access
          and ${routes.patterns} @> excluded.patterns then ${routes.openedAt} else excluded.opened_at end`,
        endedAt: sql`case when ${routes.removedAt} is null then ${routes.endedAt} end`,
        removedAt: null,
      },
    });
}

/**
 * A moderator suspended the listing of the row and stopped its installations. Test Launches are left alone. Names the tables
 * itself: of a query with a single table, Drizzle would leave the names out, and compare columns of the inner one.
 */
export const isHalted = sql<boolean>`exists (
  select 1 from ${suspensions} halting where halting.listing_id = ${listings}.id
     and halting.reinstated_at is null and halting.stops_installations)`;

/** Locks the listing, so that it is not suspended between the check and the start. */
export async function isStartable(tx: Db, listingId: string): Promise<boolean> {
  await tx.select({ id: listings.id }).from(listings).where(eq(listings.id, listingId)).for("share");
  const [found] = await tx.select({ halted: isHalted }).from(listings).where(eq(listings.id, listingId));
  return found?.halted === false;
}

export async function selectState(
  db: Db,
  organizationId: string,
  id: string,
): Promise<
  | { state: InstallationState; test: boolean; trial: boolean; listingId: string; versionId: string }
  | undefined
> {
  const [found] = await db
    .select({
      state: installations.state,
      test: installations.test,
      trial: isTrial,
      listingId: installations.listingId,
      versionId: installations.versionId,
    })
    .from(installations)
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(and(eq(installations.id, id), eq(installations.organizationId, organizationId)));
  return found;
}

interface Move {
  id: string;
  organizationId: string;
  from: InstallationState;
  to: InstallationState;
  /** Why it moves to `ERROR`. */
  failure?: { code: ReasonCode | null; reason: string };
}

/**
 * Moves an installation to another state; false if something else moved it first. A command (start, stop, uninstall) ends
 * all earlier state keys by raising the epoch, so that none works again after the next start. The end of a worker's work
 * keeps the keys, because hooks may still use theirs, and gives up the worker's lease.
 */
export async function moveInstallation(
  tx: Db,
  { id, organizationId, from, to, failure }: Move,
): Promise<boolean> {
  const settled = isMoving(to) ? { keyEpoch: sql`${installations.keyEpoch} + 1` } : { leasedUntil: null };
  const moved = await tx
    .update(installations)
    .set({
      state: to,
      reason: failure?.reason ?? null,
      reasonCode: failure?.code ?? null,
      updatedAt: sql`now()`,
      ...settled,
      ...(to === "RUNNING" ? { runningSince: sql`now()` } : {}),
    })
    .where(
      and(
        eq(installations.id, id),
        eq(installations.organizationId, organizationId),
        eq(installations.state, from),
      ),
    )
    .returning({ id: installations.id });
  return moved.length === 1;
}

/** Why a customer leaves. Not of Test Launches, nor of what counts as the publisher's own. */
export async function insertUninstallAnswer(
  tx: Db,
  installationId: string,
  { reason, comment }: { reason: UninstallReason; comment: string },
): Promise<void> {
  await tx.execute(sql`
    insert into uninstall_answers (installation_id, listing_id, version_id, reason, comment)
    select i.id, i.listing_id, i.version_id, ${reason}::uninstall_reason, ${comment}
      from installations i join listings l on l.id = i.listing_id
     where i.id = ${installationId} and not i.test
       and not ${countsAsOwn(sql`i.organization_id`, sql`l.organization_id`)}
    on conflict do nothing`);
}

/**
 * Locks an installation until the transaction ends, with its version. Calls continue: what they write only refers to the
 * installation's key. The version is read after the lock: joined, an installation that another transaction upgraded
 * meanwhile would not be found. Throws NOT_FOUND for an installation of another organization.
 */
export async function lockInstallation(tx: Db, organizationId: string, id: string) {
  if (!isId(id)) throw new Problem("NOT_FOUND");
  const [found] = await tx
    .select({
      state: installations.state,
      test: installations.test,
      revision: installations.revision,
      versionId: installations.versionId,
      tenantId: installations.tenantId,
      listingId: installations.listingId,
    })
    .from(installations)
    .where(and(eq(installations.id, id), eq(installations.organizationId, organizationId)))
    .for("no key update");
  if (found === undefined) throw new Problem("NOT_FOUND");
  const [version] = await tx
    .select({ number: versions.number, manifest: versions.manifest, trial: isTrial })
    .from(versions)
    .innerJoin(tenants, eq(tenants.id, found.tenantId))
    .where(eq(versions.id, found.versionId));
  if (version === undefined) throw new Error(`version ${found.versionId} does not exist`);
  return { id, organizationId, ...found, ...version };
}

export type LockedInstallation = Awaited<ReturnType<typeof lockInstallation>>;

/** Throws NOT_ALLOWED if it isn't this role's to operate. @param deed completes "Publishers can only …" */
export function requireOperator(role: Role, test: boolean, deed: string): void {
  if (!mayOperate(role, test))
    throw new Problem(
      "NOT_ALLOWED",
      `Publishers can only ${deed}. Ask an operator or an owner of your organization.`,
    );
}

/** Makes another revision current, from the next call on. Throws if the installation is not locked. */
export async function moveRevision(
  tx: Db,
  organizationId: string,
  { id, revision }: Pick<LockedInstallation, "id" | "revision">,
  to: number,
): Promise<void> {
  const moved = await tx
    .update(installations)
    .set({ revision: to, updatedAt: new Date() })
    .where(
      and(
        eq(installations.id, id),
        eq(installations.organizationId, organizationId),
        eq(installations.revision, revision),
      ),
    )
    .returning({ id: installations.id });
  if (moved.length !== 1) throw new Error(`installation ${id} left revision ${revision}`);
}

/** A route to send a test call to, if installation and route belong to the organization. */
export async function selectTestRoute(
  db: Db,
  organizationId: string,
  installationId: string,
  routeId: string,
) {
  const [found] = await db
    .select({
      kind: routes.kind,
      endedAt: routes.endedAt,
      state: installations.state,
      test: installations.test,
      trial: isTrial,
      tenantId: installations.tenantId,
    })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        eq(routes.id, routeId),
        isNull(routes.removedAt),
        eq(installations.id, installationId),
        eq(installations.organizationId, organizationId),
      ),
    );
  return found;
}

/** The organization's Test Launches of a listing that are not uninstalled, newest first. Without trials. */
export async function selectTestLaunches(db: Db, organizationId: string, listingId: string) {
  return db
    .select({
      id: installations.id,
      number: versions.number,
      state: installations.state,
      tenantName: tenants.name,
    })
    .from(installations)
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        eq(installations.organizationId, organizationId),
        eq(installations.listingId, listingId),
        eq(installations.test, true),
        isNull(tenants.trialEndsAt),
        ne(installations.state, "UNINSTALLED"),
      ),
    )
    .orderBy(desc(installations.id));
}

/** The titles of the organization's installations among these, by id. */
export async function selectTitles(db: Db, organizationId: string, ids: readonly string[]) {
  const rows = await db
    .select({ id: installations.id, title: listings.title })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .where(and(inArray(installations.id, [...ids]), eq(installations.organizationId, organizationId)));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

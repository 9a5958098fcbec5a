import { and, desc, eq, isNotNull, isNull, lt, ne, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { installations, instances, routes } from "@/drizzle/schema/installations";
import { listings, versions } from "@/drizzle/schema/listings";
import { organizations, users } from "@/drizzle/schema/organizations";
import { tenants } from "@/drizzle/schema/tenants";
import type { InstallationState } from "@/lib/contract/installation";
import type { Db } from "../database/connect";
import { contains } from "../database/search";

const launchable = {
  versionId: versions.id,
  number: versions.number,
  manifest: versions.manifest,
  verifiedAt: versions.verifiedAt,
  listingId: listings.id,
  listingState: listings.state,
  title: listings.title,
  appName: listings.appName,
  publisherId: listings.organizationId,
  publisherSlug: organizations.slug,
  publisherName: organizations.name,
};

/** Locks the listing, so that it is not suspended between the check and the launch. */
export async function selectVersionToLaunch(tx: Db, versionId: string) {
  const [found] = await tx
    .select(launchable)
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(eq(versions.id, versionId))
    .for("share", { of: listings });
  return found;
}

/** The same for a page, which nothing has to wait for. */
export async function selectVersion(db: Db, versionId: string) {
  const [found] = await db
    .select(launchable)
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(eq(versions.id, versionId));
  return found;
}

/** The highest version number of an app; with `verifiedOnly`, of its verified ones. Numbers compare part by part. */
export async function selectNewestVersion(
  db: Db,
  app: { organization: string; app: string },
  verifiedOnly: boolean,
) {
  const [found] = await db
    .select(launchable)
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(
      and(
        eq(organizations.slug, app.organization),
        eq(listings.appName, app.app),
        verifiedOnly ? isNotNull(versions.verifiedAt) : undefined,
      ),
    )
    .orderBy(desc(sql`string_to_array(${versions.number}, '.')::numeric[]`))
    .limit(1);
  return found;
}

export async function insertInstallation(tx: Db, row: typeof installations.$inferInsert): Promise<void> {
  await tx.insert(installations).values(row);
}

export async function insertRoutes(tx: Db, rows: (typeof routes.$inferInsert)[]): Promise<void> {
  await tx.insert(routes).values(rows);
}

const summary = {
  id: installations.id,
  state: installations.state,
  reason: installations.reason,
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
};

export interface InstallationFilter {
  search?: string;
  state?: InstallationState;
  /** Id of the last one that was seen. */
  before?: string;
  limit: number;
}

const parts = (number: SQL | AnyColumn) => sql`string_to_array(${number}, '.')::numeric[]`;

/** The number of the newest version that an installation may move up to, as `newestAbove` has it; null when none is. */
const upgradeTo = sql<string | null>`(
  select newer.number from ${versions} newer
  where newer.listing_id = ${installations.listingId} and ${parts(sql`newer.number`)} > ${parts(versions.number)}
    and case when ${installations.test} then ${listings.state} <> 'RETIRED'
      else ${listings.state} = 'PUBLIC' and newer.verified_at is not null end
  order by ${parts(sql`newer.number`)} desc limit 1)`;

/** Newest first. Those that were uninstalled show only when they are asked for. */
export async function selectInstallations(db: Db, organizationId: string, filter: InstallationFilter) {
  return db
    .select({ ...summary, tenantSandbox: tenants.sandbox, upgradeTo })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        eq(installations.organizationId, organizationId),
        filter.state === undefined
          ? ne(installations.state, "UNINSTALLED")
          : eq(installations.state, filter.state),
        contains(filter.search, listings.title, listings.appName, tenants.name, tenants.hostName),
        filter.before === undefined ? undefined : lt(installations.id, filter.before),
      ),
    )
    .orderBy(desc(installations.id))
    .limit(filter.limit);
}

export async function selectInstallation(db: Db, organizationId: string, id: string) {
  const [found] = await db
    .select({
      ...summary,
      tenantId: installations.tenantId,
      listingId: installations.listingId,
      versionId: installations.versionId,
      revision: installations.revision,
      installedAt: installations.installedAt,
      createdBy: users.name,
      manifest: versions.manifest,
      imageDigest: versions.imageDigest,
      tenantSandbox: tenants.sandbox,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .innerJoin(users, eq(users.id, installations.createdBy))
    .where(and(eq(installations.id, id), eq(installations.organizationId, organizationId)));
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
    })
    .from(routes)
    .where(and(eq(routes.installationId, installationId), isNull(routes.removedAt)))
    .orderBy(routes.kind, routes.path);
}

/** The newest instance of a version: the one that runs, or the one that ran last. */
export async function selectNewestInstance(db: Db, versionId: string) {
  const [found] = await db
    .select({
      runtime: instances.runtime,
      state: instances.state,
      reason: instances.reason,
      readyAt: instances.readyAt,
      restarts: instances.restarts,
    })
    .from(instances)
    .where(eq(instances.versionId, versionId))
    .orderBy(desc(instances.createdAt))
    .limit(1);
  return found;
}

export async function selectCommandable(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ state: InstallationState; test: boolean } | undefined> {
  const [found] = await db
    .select({ state: installations.state, test: installations.test })
    .from(installations)
    .where(and(eq(installations.id, id), eq(installations.organizationId, organizationId)));
  return found;
}

/**
 * True when this call made the change; false when something else changed the state first. Each command begins a new epoch:
 * what was handed out before a stop is not to live again with the next start, nor the stop hook's key with it.
 */
export async function moveInstallation(
  tx: Db,
  organizationId: string,
  id: string,
  from: InstallationState,
  to: InstallationState,
): Promise<boolean> {
  const moved = await tx
    .update(installations)
    .set({
      state: to,
      reason: null,
      keyEpoch: sql`${installations.keyEpoch} + 1`,
      updatedAt: new Date(),
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

/** The installation's tenant and the route's kind, when both are the organization's. */
export async function selectFiringRoute(
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
      tenantId: installations.tenantId,
    })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
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

/** Where the organization has the app already, by tenant: one installation each, and one Test Launch. */
export async function selectInstalled(db: Db, organizationId: string, listingId: string, test: boolean) {
  const there = and(
    eq(installations.organizationId, organizationId),
    eq(installations.listingId, listingId),
    eq(installations.test, test),
    ne(installations.state, "UNINSTALLED"),
  );
  const rows = await db
    .select({ tenantId: installations.tenantId, id: installations.id })
    .from(installations)
    .where(there);
  return new Map(rows.map(({ tenantId, id }) => [tenantId, id]));
}

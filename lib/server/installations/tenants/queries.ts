import { and, asc, eq, exists, inArray, isNull, ne, not, or, sql, type SQL } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { products, tenants } from "@/drizzle/schema/installations-tenants";
import type { ConnectionState } from "@/lib/contract/installations/installation-view";
import { deleteCredentials } from "../../accounts/credentials/core-credential-queries";
import type { Db } from "../../platform/database/connect";
import { containsFolded } from "../../platform/database/expressions";
import {
  isBeyondKey,
  type KeyCursor,
  type Position,
  selectKey,
  sortByKey,
  type Sorting,
} from "../../platform/database/paging";

export { TENANT_HOST_INDEX, TENANT_NAME_INDEX } from "@/drizzle/schema/installations-tenants";

export type StoredCredential = NonNullable<typeof tenants.$inferSelect.credential>;

export async function insertTenant(tx: Db, row: typeof tenants.$inferInsert): Promise<void> {
  await tx.insert(tenants).values(row);
}

/** Everything that is not secret. */
const open = {
  id: tenants.id,
  name: tenants.name,
  hostName: tenants.hostName,
  coreApiUrl: tenants.coreApiUrl,
  sandbox: tenants.sandbox,
  /** Null for all but tenants of trials. */
  trialEndsAt: tenants.trialEndsAt,
};

/** A disconnected tenant is absent for everything here. */
const connectedTo = (organizationId: string) =>
  and(eq(tenants.organizationId, organizationId), isNull(tenants.disconnectedAt));

const owned = (organizationId: string, tenantId: string) =>
  and(eq(tenants.id, tenantId), connectedTo(organizationId));

/** Locked, so that the tenant is not disconnected before the transaction ends. */
export async function lockTenant(tx: Db, organizationId: string, tenantId: string) {
  const [tenant] = await tx
    .select(open)
    .from(tenants)
    .where(owned(organizationId, tenantId))
    .for("key share");
  return tenant;
}

/** Includes the sealed credential and the last connection test. */
export async function selectWholeTenant(db: Db, organizationId: string, tenantId: string) {
  const [tenant] = await db
    .select({
      ...open,
      credential: tenants.credential,
      connection: tenants.connection,
      createdAt: tenants.createdAt,
    })
    .from(tenants)
    .where(owned(organizationId, tenantId));
  return tenant;
}

export type WholeTenant = NonNullable<Awaited<ReturnType<typeof selectWholeTenant>>>;

/** Ordered by name, the sandbox last. */
export async function selectTenants(db: Db, organizationId: string) {
  return db
    .select(open)
    .from(tenants)
    .where(connectedTo(organizationId))
    .orderBy(asc(tenants.sandbox), asc(tenants.name));
}

interface TenantMatch {
  search?: string;
  connection?: ConnectionState;
}

/** A name is unique in an organization. */
export const TENANT_SORTS = {
  name: { by: tenants.name, type: "text", order: "ascending" },
  newest: { by: tenants.createdAt, type: "timestamptz", order: "descending" },
} as const satisfies Record<string, Sorting>;

interface TenantFilter extends TenantMatch {
  sort: keyof typeof TENANT_SORTS;
  position?: Position<KeyCursor>;
  limit: number;
}

const IN_STATE = {
  connected: sql`${tenants.connection} ->> 'ok' = 'true'`,
  failed: sql`${tenants.connection} ->> 'ok' = 'false'`,
  untested: isNull(tenants.connection),
} as const satisfies Record<ConnectionState, SQL>;

const matchesTenant = (organizationId: string, { search, connection }: TenantMatch) =>
  and(
    connectedTo(organizationId),
    isNull(tenants.trialEndsAt),
    containsFolded(search, tenants.name, tenants.hostName),
    connection && IN_STATE[connection],
  );

/** How many match the search, in all and with each state of their connection. */
export async function countTenants(db: Db, organizationId: string, search: string | undefined) {
  const among = (state: ConnectionState) => sql<number>`(count(*) filter (where ${IN_STATE[state]}))::int`;
  const [counts] = await db
    .select({
      all: sql<number>`count(*)::int`,
      connected: among("connected"),
      failed: among("failed"),
      untested: among("untested"),
    })
    .from(tenants)
    .where(matchesTenant(organizationId, { search }));
  if (counts === undefined) throw new Error("an aggregate returned no row");
  return counts;
}

/** Without those of trials. */
export async function selectTenantPage(db: Db, organizationId: string, filter: TenantFilter) {
  const { position } = filter;
  const sorting = TENANT_SORTS[filter.sort];
  return db
    .select({
      ...open,
      cursor: selectKey(sorting),
      connection: tenants.connection,
      products: db.$count(products, eq(products.tenantId, tenants.id)),
    })
    .from(tenants)
    .where(and(matchesTenant(organizationId, filter), isBeyondKey(sorting, position, tenants.id)))
    .orderBy(...sortByKey(sorting, position, tenants.id))
    .limit(filter.limit);
}

type Changes = Partial<
  Pick<
    typeof tenants.$inferInsert,
    "name" | "hostName" | "sharesHost" | "coreApiUrl" | "credential" | "connection"
  >
>;

/** Changes the address of a tenant's core if it is still `from`. */
export async function moveTenant(tx: Db, tenantId: string, from: string, to: string): Promise<boolean> {
  const moved = await tx
    .update(tenants)
    .set({ coreApiUrl: to })
    .where(and(eq(tenants.id, tenantId), eq(tenants.coreApiUrl, from)))
    .returning({ id: tenants.id });
  return moved.length === 1;
}

/** Also returns false if the host name, address, or credential changed since `read`. */
export async function updateUnchangedTenant(
  tx: Db,
  organizationId: string,
  read: Pick<WholeTenant, "id" | "hostName" | "coreApiUrl" | "credential">,
  changes: Changes,
): Promise<boolean> {
  const credential = read.credential === null ? null : JSON.stringify(read.credential);
  const changed = await tx
    .update(tenants)
    .set(changes)
    .where(
      and(
        owned(organizationId, read.id),
        eq(tenants.hostName, read.hostName),
        eq(tenants.coreApiUrl, read.coreApiUrl),
        sql`${tenants.credential} is not distinct from ${credential}::jsonb`,
      ),
    )
    .returning({ id: tenants.id });
  return changed.length === 1;
}

/**
 * Removes what only a connected tenant needs: all credentials, the last test, and the products. False if the tenant is not
 * connected, or has an installation that is not uninstalled.
 */
export async function disconnectTenantRow(
  tx: Db,
  organizationId: string,
  tenantId: string,
): Promise<boolean> {
  // A separate statement, because only a later snapshot shows an installation that another transaction is inserting.
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for("update");
  const installed = tx
    .select({ id: installations.id })
    .from(installations)
    .where(and(eq(installations.tenantId, tenants.id), ne(installations.state, "UNINSTALLED")));
  const disconnected = await tx
    .update(tenants)
    .set({ disconnectedAt: sql`now()`, credential: null, connection: null })
    .where(and(owned(organizationId, tenantId), not(exists(installed))))
    .returning({ id: tenants.id });
  if (disconnected.length === 0) return false;
  await deleteCredentials(tx, tenantId);
  await tx.delete(products).where(eq(products.tenantId, tenantId));
  return true;
}

/** Without uninstalled ones, ordered by title. */
export async function selectTenantInstallations(db: Db, organizationId: string, tenantId: string) {
  return db
    .select({
      id: installations.id,
      title: listings.title,
      version: versions.number,
      versionId: installations.versionId,
      state: installations.state,
      test: installations.test,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .where(
      and(
        eq(installations.organizationId, organizationId),
        eq(installations.tenantId, tenantId),
        ne(installations.state, "UNINSTALLED"),
      ),
    )
    .orderBy(asc(listings.title), asc(installations.id));
}

/** Ordered as in the state record. */
export async function selectProducts(db: Db, tenantIds: string[]) {
  if (tenantIds.length === 0) return [];
  return db
    .select({
      tenantId: products.tenantId,
      name: products.name,
      schema: products.schema,
      schemaDigest: products.schemaDigest,
      changedAt: products.changedAt,
      sample: products.sample,
      refreshedAt: products.refreshedAt,
    })
    .from(products)
    .where(inArray(products.tenantId, tenantIds))
    .orderBy(asc(products.name));
}

export type ProductRow = Awaited<ReturnType<typeof selectProducts>>[number];

/** Schema digests by product name. A configuration stores those that its mappings were made for. */
export function toSchemaDigests(
  rows: readonly Pick<ProductRow, "name" | "schemaDigest">[],
): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, schemaDigest }) => [name, schemaDigest]));
}

/** The sandboxes of all organizations. */
export async function selectSandboxes(db: Db) {
  return db
    .select({
      id: tenants.id,
      organizationId: tenants.organizationId,
      hostName: tenants.hostName,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(tenants)
    .where(and(eq(tenants.sandbox, true), isNull(tenants.disconnectedAt)));
}

export async function selectSandbox(db: Db, organizationId: string): Promise<string | undefined> {
  const [tenant] = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(connectedTo(organizationId), eq(tenants.sandbox, true), isNull(tenants.trialEndsAt)));
  return tenant?.id;
}

/** Until the transaction ends, so that simultaneous requests create one sandbox per organization. */
export async function lockSandbox(tx: Db, organizationId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sandbox/${organizationId}`}, 0))`);
}

export async function selectTenantNames(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db.select({ name: tenants.name }).from(tenants).where(connectedTo(organizationId));
  return rows.map((row) => row.name);
}

/** The connected tenant with this host name, ignoring case. The organization's own sandbox doesn't count. */
export async function selectHostHolder(db: Db, organizationId: string, hostName: string) {
  const [holder] = await db
    .select({ organizationId: tenants.organizationId, name: tenants.name })
    .from(tenants)
    .where(
      and(
        eq(sql`lower(${tenants.hostName})`, hostName.toLowerCase()),
        isNull(tenants.disconnectedAt),
        or(ne(tenants.organizationId, organizationId), not(tenants.sandbox)),
      ),
    )
    .limit(1);
  return holder;
}

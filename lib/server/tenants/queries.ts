import { and, asc, eq, gt, inArray, isNull, ne, sql, type SQL } from "drizzle-orm";
import { installations } from "@/drizzle/schema/installations";
import { listings, versions } from "@/drizzle/schema/listings";
import { products, tenants } from "@/drizzle/schema/tenants";
import type { ConnectionState } from "@/lib/contract/tenant-view";
import type { Db } from "../database/connect";
import { contains } from "../database/search";

export type StoredCredential = NonNullable<typeof tenants.$inferSelect.credential>;

export async function insertTenant(tx: Db, row: typeof tenants.$inferInsert): Promise<void> {
  await tx.insert(tenants).values(row);
}

/** Without what is secret of it. */
const open = {
  id: tenants.id,
  name: tenants.name,
  hostName: tenants.hostName,
  coreApiUrl: tenants.coreApiUrl,
  sandbox: tenants.sandbox,
};

const owned = (organizationId: string, tenantId: string) =>
  and(eq(tenants.id, tenantId), eq(tenants.organizationId, organizationId));

export async function selectTenant(db: Db, organizationId: string, tenantId: string) {
  const [tenant] = await db.select(open).from(tenants).where(owned(organizationId, tenantId));
  return tenant;
}

/** With its sealed credential and its last test: for reaching its core and for its page. */
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

/** All of them, by name, the sandbox last. */
export async function selectTenants(db: Db, organizationId: string) {
  return db
    .select(open)
    .from(tenants)
    .where(eq(tenants.organizationId, organizationId))
    .orderBy(asc(tenants.sandbox), asc(tenants.name));
}

export interface TenantFilter {
  search?: string;
  connection?: ConnectionState;
  /** Id of the last one that was seen. */
  after?: string;
  limit: number;
}

const IN_STATE = {
  connected: sql`${tenants.connection} ->> 'ok' = 'true'`,
  failed: sql`${tenants.connection} ->> 'ok' = 'false'`,
  untested: isNull(tenants.connection),
} as const satisfies Record<ConnectionState, SQL>;

/** Of a tenant that is not there: the empty text, before all names. */
function nameOf(db: Db, organizationId: string, tenantId: string): SQL {
  const name = db.select({ name: tenants.name }).from(tenants).where(owned(organizationId, tenantId));
  return sql`coalesce((${name}), '')`;
}

/** By name, which is unique in an organization. */
export async function selectTenantPage(db: Db, organizationId: string, filter: TenantFilter) {
  const { search, connection, after } = filter;
  return db
    .select({
      ...open,
      connection: tenants.connection,
      products: db.$count(products, eq(products.tenantId, tenants.id)),
    })
    .from(tenants)
    .where(
      and(
        eq(tenants.organizationId, organizationId),
        contains(search, tenants.name, tenants.hostName),
        connection && IN_STATE[connection],
        after === undefined ? undefined : gt(tenants.name, nameOf(db, organizationId, after)),
      ),
    )
    .orderBy(asc(tenants.name))
    .limit(filter.limit);
}

type Changes = Partial<
  Pick<
    typeof tenants.$inferInsert,
    "name" | "hostName" | "coreApiUrl" | "credential" | "connection" | "coreCredentialHash"
  >
>;

/** False when it is not there. */
export async function updateTenant(
  tx: Db,
  organizationId: string,
  tenantId: string,
  changes: Changes,
): Promise<boolean> {
  const changed = await tx
    .update(tenants)
    .set(changes)
    .where(owned(organizationId, tenantId))
    .returning({ id: tenants.id });
  return changed.length === 1;
}

/** The same, when its host name, its address and its credential are still those that were read. */
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

/** Those that are not uninstalled, by title. */
export async function selectTenantInstallations(db: Db, organizationId: string, tenantId: string) {
  return db
    .select({
      id: installations.id,
      title: listings.title,
      version: versions.number,
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

/** In the order of the state record. */
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

/** What a configuration remembers of the schemas that its mappings were made for. */
export function digestsOf(
  rows: readonly Pick<ProductRow, "name" | "schemaDigest">[],
): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, schemaDigest }) => [name, schemaDigest]));
}

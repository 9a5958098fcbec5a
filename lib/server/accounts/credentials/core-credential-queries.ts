import { and, count, desc, eq, lte, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { coreCredentials, tenants } from "@/drizzle/schema/installations-tenants";
import type { Db } from "../../platform/database/connect";

/**
 * Whether a core credential works now, for its row `c` of `core_credentials`. A revoked credential has no row.
 *
 * A statement that serves a request of a core can check the credential on the way instead of asking first: join
 * `core_credentials c on c.hash = $n and ${IS_VALID_CREDENTIAL}`, with the hash of `hashCredential`. Return `c.tenant_id`, and
 * `c.id` to note its use.
 */
export const IS_VALID_CREDENTIAL = "(c.expires_at is null or c.expires_at > now())";

export interface KnownCredential {
  credentialId: string;
  tenantId: string;
  organizationId: string;
}

const SELECT_CREDENTIAL = `
  select c.id as "credentialId", c.tenant_id as "tenantId", t.organization_id as "organizationId"
    from core_credentials c
    join tenants t on t.id = c.tenant_id
   where c.hash = $1 and ${IS_VALID_CREDENTIAL}`;

/** Undefined if no credential with this hash works now. */
export async function selectCredential(pool: Pool, hash: string): Promise<KnownCredential | undefined> {
  const { rows } = await pool.query<KnownCredential>({
    name: "select-core-credential",
    text: SELECT_CREDENTIAL,
    values: [hash],
  });
  return rows[0];
}

/** The tenant's credentials that work now, newest first. */
export async function selectCredentials(db: Db, tenantId: string) {
  return db
    .select({
      id: coreCredentials.id,
      createdAt: coreCredentials.createdAt,
      expiresAt: coreCredentials.expiresAt,
      lastUsedAt: coreCredentials.lastUsedAt,
    })
    .from(coreCredentials)
    .where(
      and(
        eq(coreCredentials.tenantId, tenantId),
        sql`(${coreCredentials.expiresAt} is null or ${coreCredentials.expiresAt} > now())`,
      ),
    )
    .orderBy(desc(coreCredentials.id));
}

export async function insertCredential(tx: Db, tenantId: string, hash: string): Promise<string> {
  const [stored] = await tx
    .insert(coreCredentials)
    .values({ tenantId, hash })
    .returning({ id: coreCredentials.id });
  if (stored === undefined) throw new Error("the core credential was not stored");
  return stored.id;
}

/**
 * Ends the tenant's credentials in `seconds`, or earlier if they end earlier, and removes those that ended. Waits for other
 * rotations of the tenant. Returns how many still work.
 */
export async function expireCredentials(tx: Db, tenantId: string, seconds: number): Promise<number> {
  await tx.select({ id: tenants.id }).from(tenants).where(eq(tenants.id, tenantId)).for("no key update");
  const ofTenant = eq(coreCredentials.tenantId, tenantId);
  await tx
    .update(coreCredentials)
    .set({ expiresAt: sql`least(${coreCredentials.expiresAt}, now() + make_interval(secs => ${seconds}))` })
    .where(ofTenant);
  await tx.delete(coreCredentials).where(and(ofTenant, lte(coreCredentials.expiresAt, sql`now()`)));
  const [left] = await tx.select({ count: count() }).from(coreCredentials).where(ofTenant);
  return left?.count ?? 0;
}

/** False if the tenant has no such credential. */
export async function deleteCredential(tx: Db, tenantId: string, credentialId: string): Promise<boolean> {
  const deleted = await tx
    .delete(coreCredentials)
    .where(and(eq(coreCredentials.id, credentialId), eq(coreCredentials.tenantId, tenantId)))
    .returning({ id: coreCredentials.id });
  return deleted.length === 1;
}

export async function deleteCredentials(tx: Db, tenantId: string): Promise<void> {
  await tx.delete(coreCredentials).where(eq(coreCredentials.tenantId, tenantId));
}

/** Ordered by id, so that two processes cannot deadlock. One of them writes, the other one finds nothing to do. */
const TOUCH = `
  with stale as (
    select id from core_credentials
     where id = any($1::uuid[]) and (last_used_at is null or last_used_at < now() - interval '50 seconds')
     order by id for no key update)
  update core_credentials c set last_used_at = now() from stale where c.id = stale.id`;

export async function touchCredentials(pool: Pool, credentialIds: readonly string[]): Promise<void> {
  await pool.query(TOUCH, [credentialIds]);
}

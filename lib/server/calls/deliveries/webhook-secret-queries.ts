import { and, desc, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { webhookSecrets } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import type { Db } from "../../platform/database/connect";

/** A secret that signs now. */
export interface SealedSecret {
  id: string;
  installationId: string;
  organizationId: string;
  sealed: string;
  createdAt: Date;
  expiresAt: Date | null;
  /** The organization's data key. */
  wrapped: string;
  masterKeyId: string;
}

const SELECT_SECRETS = `
  select s.id, s.installation_id as "installationId", i.organization_id as "organizationId", s.sealed,
         s.created_at as "createdAt", s.expires_at as "expiresAt", k.wrapped, k.master_key_id as "masterKeyId"
    from webhook_secrets s
    join installations i on i.id = s.installation_id
    join data_keys k on k.organization_id = i.organization_id
   where s.installation_id = any($1::uuid[]) and (s.expires_at is null or s.expires_at > now())
   order by s.expires_at desc nulls first, s.id desc`;

/** Those that sign now, each installation's current one first. Prepared, because the worker reads them for each batch of deliveries. */
export async function selectSecrets(pool: Pool, installationIds: readonly string[]): Promise<SealedSecret[]> {
  const { rows } = await pool.query<SealedSecret>({
    name: "select-webhook-secrets",
    text: SELECT_SECRETS,
    values: [installationIds],
  });
  return rows;
}

/** When the secrets that sign now were created, the current one first. */
export async function selectSecretTimes(db: Db, installationId: string) {
  return db
    .select({ createdAt: webhookSecrets.createdAt, expiresAt: webhookSecrets.expiresAt })
    .from(webhookSecrets)
    .where(
      and(
        eq(webhookSecrets.installationId, installationId),
        or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, sql`now()`)),
      ),
    )
    .orderBy(sql`${webhookSecrets.expiresAt} desc nulls first`, desc(webhookSecrets.id));
}

/** The organization of an installation that is not uninstalled. */
export async function selectOwner(db: Db, installationId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ organizationId: installations.organizationId })
    .from(installations)
    .where(and(eq(installations.id, installationId), ne(installations.state, "UNINSTALLED")));
  return found?.organizationId;
}

/** False if the installation has a current secret already, and this one would be another. */
export async function insertSecret(tx: Db, row: typeof webhookSecrets.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(webhookSecrets).values(row).onConflictDoNothing();
  return rowCount === 1;
}

/** Ends the installation's secrets in `seconds`, or earlier if they end earlier, and removes those that ended. */
export async function expireSecrets(tx: Db, installationId: string, seconds: number): Promise<void> {
  const ofInstallation = eq(webhookSecrets.installationId, installationId);
  await tx
    .update(webhookSecrets)
    .set({ expiresAt: sql`least(${webhookSecrets.expiresAt}, now() + make_interval(secs => ${seconds}))` })
    .where(ofInstallation);
  await tx.delete(webhookSecrets).where(and(ofInstallation, lte(webhookSecrets.expiresAt, sql`now()`)));
}

export async function deleteSecrets(tx: Db, installationId: string): Promise<void> {
  await tx.delete(webhookSecrets).where(eq(webhookSecrets.installationId, installationId));
}

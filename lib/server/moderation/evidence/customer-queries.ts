/** Made-up customers: organizations without members, and installations that end with the checks they were made for. */
import { and, eq, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { routes, stateReads, webhookSecrets } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { Db } from "../../platform/database/connect";

export async function upsertOrganization(tx: Db, slug: string, name: string): Promise<string> {
  await tx.insert(organizations).values({ slug, name }).onConflictDoNothing();
  const [found] = await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.slug, slug));
  if (found === undefined) throw new Error(`organization ${slug} was not stored`);
  return found.id;
}

/** The organization's only tenant, with the current address of its core. */
export async function upsertTenant(
  tx: Db,
  { organizationId, hostName, coreApiUrl }: { organizationId: string; hostName: string; coreApiUrl: string },
): Promise<string> {
  await tx
    .insert(tenants)
    .values({ organizationId, name: "Sandbox", hostName, coreApiUrl, sandbox: true })
    .onConflictDoNothing();
  const [tenant] = await tx
    .update(tenants)
    .set({ coreApiUrl })
    .where(eq(tenants.organizationId, organizationId))
    .returning({ id: tenants.id });
  if (tenant === undefined) throw new Error("the tenant of a made-up customer was not stored");
  return tenant.id;
}

export async function insertConfiguration(tx: Db, row: typeof configurations.$inferInsert): Promise<void> {
  await tx.insert(configurations).values(row);
}

export async function selectRoutes(tx: Db, installationId: string) {
  return tx
    .select({ id: routes.id, kind: routes.kind, path: routes.path })
    .from(routes)
    .where(eq(routes.installationId, installationId));
}

/** The made-up installations of a listing that earlier checks did not end. */
export async function selectLeft(tx: Db, listingId: string): Promise<string[]> {
  const found = await tx
    .select({ id: installations.id })
    .from(installations)
    .where(
      and(
        eq(installations.listingId, listingId),
        isNotNull(installations.evidenceId),
        ne(installations.state, "UNINSTALLED"),
      ),
    );
  return found.map(({ id }) => id);
}

/** The made-up installations of these checks. */
export async function selectOfEvidence(tx: Db, evidenceId: string): Promise<string[]> {
  const found = await tx
    .select({ id: installations.id })
    .from(installations)
    .where(eq(installations.evidenceId, evidenceId));
  return found.map(({ id }) => id);
}

/** Ends made-up installations with their state keys, and removes their secrets. */
export async function endInstallations(tx: Db, ids: string[]): Promise<void> {
  await tx
    .update(installations)
    .set({ state: "UNINSTALLED", keyEpoch: sql`${installations.keyEpoch} + 1`, updatedAt: sql`now()` })
    .where(
      and(
        inArray(installations.id, ids),
        isNotNull(installations.evidenceId),
        ne(installations.state, "UNINSTALLED"),
      ),
    );
  await tx.update(configurations).set({ settings: {} }).where(inArray(configurations.installationId, ids));
  await tx.delete(webhookSecrets).where(inArray(webhookSecrets.installationId, ids));
}

/** Removes what nothing reads anymore. Some time after their end, because gateways record the last state reads with a delay. */
export async function deleteEndedInstallations(tx: Db): Promise<void> {
  const old = tx
    .select({ id: installations.id })
    .from(installations)
    .where(
      and(
        isNotNull(installations.evidenceId),
        eq(installations.state, "UNINSTALLED"),
        lt(installations.updatedAt, sql`now() - interval '10 minutes'`),
      ),
    );
  for (const table of [routes, configurations, stateReads])
    await tx.delete(table).where(inArray(table.installationId, old));
  await tx.delete(installations).where(inArray(installations.id, old));
}

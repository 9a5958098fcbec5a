import { and, desc, eq, inArray, isNull, lt, lte, max, ne, sql } from "drizzle-orm";
import { configurations, installations, type StoredSetting } from "@/drizzle/schema/installations";
import { versions } from "@/drizzle/schema/listings";
import { users } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";

export type { StoredSetting };

export async function insertConfiguration(tx: Db, row: typeof configurations.$inferInsert): Promise<void> {
  await tx.insert(configurations).values(row);
}

/** The settings with their ciphertexts: for the server alone. */
export async function selectConfiguration(db: Db, installationId: string, revision: number) {
  const [row] = await db
    .select({
      revision: configurations.revision,
      versionId: configurations.versionId,
      cause: configurations.cause,
      restoredFrom: configurations.restoredFrom,
      schemaDigests: configurations.schemaDigests,
      settings: configurations.settings,
      mappings: configurations.mappings,
      createdAt: configurations.createdAt,
      createdBy: users.name,
    })
    .from(configurations)
    .innerJoin(users, eq(users.id, configurations.createdBy))
    .where(and(eq(configurations.installationId, installationId), eq(configurations.revision, revision)));
  return row;
}

/** A failed upgrade may have left a revision that is higher than the current one. */
export async function nextRevision(tx: Db, installationId: string): Promise<number> {
  const [found] = await tx
    .select({ highest: max(configurations.revision) })
    .from(configurations)
    .where(eq(configurations.installationId, installationId));
  return (found?.highest ?? 0) + 1;
}

/** From now on `current` serves: what came before it is kept for the keys that name it, and scrubbed when they are dead. */
export async function supersede(tx: Db, installationId: string, current: number): Promise<void> {
  await tx
    .update(configurations)
    .set({ supersededAt: sql`now()` })
    .where(
      and(
        eq(configurations.installationId, installationId),
        lt(configurations.revision, current),
        isNull(configurations.supersededAt),
      ),
    );
}

/** What failed upgrades prepared is of no use once something newer is prepared. What serves now is left alone. */
export async function supersedeFailed(tx: Db, installationId: string, prepared: number): Promise<void> {
  const serving = tx
    .select({ revision: installations.revision })
    .from(installations)
    .where(eq(installations.id, installationId));
  await tx
    .update(configurations)
    .set({ supersededAt: sql`now()` })
    .where(
      and(
        eq(configurations.installationId, installationId),
        lt(configurations.revision, prepared),
        ne(configurations.revision, sql`(${serving})`),
        isNull(configurations.supersededAt),
      ),
    );
}

/** False for what an upgrade prepared that has not switched, or never did: no call ever read it as the current one. */
export const served = sql<boolean>`coalesce((
  select bool_or(u.switched_at is not null) from upgrades u
   where u.installation_id = ${configurations.installationId} and u.to_revision = ${configurations.revision}), true)`;

const revision = {
  revision: configurations.revision,
  versionId: configurations.versionId,
  cause: configurations.cause,
  restoredFrom: configurations.restoredFrom,
  schemaDigests: configurations.schemaDigests,
  settings: configurations.settings,
  mappings: configurations.mappings,
  createdAt: configurations.createdAt,
  createdBy: users.name,
};

/** The revisions that served, newest first, from `highest` downwards. */
export async function selectServed(db: Db, installationId: string, highest: number, limit: number) {
  return db
    .select(revision)
    .from(configurations)
    .innerJoin(users, eq(users.id, configurations.createdBy))
    .where(
      and(eq(configurations.installationId, installationId), lte(configurations.revision, highest), served),
    )
    .orderBy(desc(configurations.revision))
    .limit(limit);
}

export type RevisionRow = Awaited<ReturnType<typeof selectServed>>[number];

/** What the versions of these revisions declare, and how they are numbered. */
export async function selectVersionsOf(db: Db, versionIds: string[]) {
  return db
    .select({ id: versions.id, number: versions.number, manifest: versions.manifest })
    .from(versions)
    .where(inArray(versions.id, versionIds));
}

export type VersionRow = Awaited<ReturnType<typeof selectVersionsOf>>[number];

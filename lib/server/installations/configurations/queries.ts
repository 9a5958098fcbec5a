import { and, asc, desc, eq, gt, isNull, lt, lte, max, ne, sql } from "drizzle-orm";
import { users } from "@/drizzle/schema/accounts";
import { installations } from "@/drizzle/schema/installations";
import { configurations, type StoredSetting } from "@/drizzle/schema/installations-configurations";
import type { Db } from "../../platform/database/connect";

export type { StoredSetting };

export async function insertConfiguration(tx: Db, row: typeof configurations.$inferInsert): Promise<void> {
  await tx.insert(configurations).values(row);
}

/** False for a revision of an upgrade that has not switched, or never did: no call ever read it. */
export const served = sql<boolean>`coalesce((
  select bool_or(u.switched_at is not null) from upgrades u
   where u.installation_id = ${configurations.installationId} and u.to_revision = ${configurations.revision}), true)`;

const selectRevisions = (db: Db) =>
  db
    .select({
      revision: configurations.revision,
      versionId: configurations.versionId,
      cause: configurations.cause,
      restoredFrom: configurations.restoredFrom,
      schemaDigests: configurations.schemaDigests,
      /** With ciphertexts: never send them to a page. */
      settings: configurations.settings,
      mappings: configurations.mappings,
      createdAt: configurations.createdAt,
      createdBy: users.name,
    })
    .from(configurations)
    .innerJoin(users, eq(users.id, configurations.createdBy));

/** The served revisions from `highest` down, newest first. */
export async function selectServed(db: Db, installationId: string, highest: number, limit: number) {
  return selectRevisions(db)
    .where(
      and(eq(configurations.installationId, installationId), lte(configurations.revision, highest), served),
    )
    .orderBy(desc(configurations.revision))
    .limit(limit);
}

export async function countServed(db: Db, installationId: string): Promise<number> {
  return db.$count(configurations, and(eq(configurations.installationId, installationId), served));
}

/** The numbers of served revisions after one, the lowest first. */
export async function selectLaterRevisions(
  db: Db,
  installationId: string,
  { after, highest, limit }: { after: number; highest: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .select({ revision: configurations.revision })
    .from(configurations)
    .where(
      and(
        eq(configurations.installationId, installationId),
        gt(configurations.revision, after),
        lte(configurations.revision, highest),
        served,
      ),
    )
    .orderBy(asc(configurations.revision))
    .limit(limit);
  return rows.map(({ revision }) => revision);
}

export type RevisionRow = Awaited<ReturnType<typeof selectServed>>[number];

export async function selectConfiguration(
  db: Db,
  installationId: string,
  revision: number,
): Promise<RevisionRow> {
  const [row] = await selectRevisions(db).where(
    and(eq(configurations.installationId, installationId), eq(configurations.revision, revision)),
  );
  if (row === undefined) throw new Error(`installation ${installationId} has no revision ${revision}`);
  return row;
}

/** A failed upgrade may have left a revision higher than the current one. */
export async function nextRevision(tx: Db, installationId: string): Promise<number> {
  const [found] = await tx
    .select({ highest: max(configurations.revision) })
    .from(configurations)
    .where(eq(configurations.installationId, installationId));
  return (found?.highest ?? 0) + 1;
}

/** Earlier revisions stay readable for keys that name them, and are scrubbed once those keys have expired. */
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

/** Supersedes the revisions that failed upgrades prepared, but not the one in use. */
export async function supersedeFailed(tx: Db, installationId: string, prepared: number): Promise<void> {
  const current = tx
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
        ne(configurations.revision, sql`(${current})`),
        isNull(configurations.supersededAt),
      ),
    );
}

/** Deletes all stored values of an installation, in every revision. */
export async function emptySettings(tx: Db, installationId: string): Promise<void> {
  await tx
    .update(configurations)
    .set({ settings: {} })
    .where(eq(configurations.installationId, installationId));
}

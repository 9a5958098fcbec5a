/** SQL about secrets: their ledger, plain values that became secrets, and the scrubbing of earlier revisions. */
import { and, asc, desc, eq, gt, inArray, lt, lte, sql } from "drizzle-orm";
import { users } from "@/drizzle/schema/accounts";
import { stateReads } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import {
  configurations,
  secretEvents,
  type StoredSetting,
} from "@/drizzle/schema/installations-configurations";
import type { SettingType } from "@/lib/contract/platform/manifest-terms";
import type { Db } from "../../platform/database/connect";
import { served } from "./queries";

export async function insertSecretEvents(tx: Db, rows: (typeof secretEvents.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(secretEvents).values(rows);
}

/** The newest `limit` events of each secret, newest first, each with how many the secret has. Leaves out upgrades that never switched. */
export async function selectSecretEvents(db: Db, installationId: string, limit: number) {
  const ranked = db
    .select({
      id: secretEvents.id,
      name: secretEvents.name,
      action: secretEvents.action,
      revision: secretEvents.revision,
      at: secretEvents.at,
      by: secretEvents.by,
      rank: sql<number>`row_number() over (partition by ${secretEvents.name} order by ${secretEvents.id} desc)`.as(
        "rank",
      ),
      total: sql<number>`count(*) over (partition by ${secretEvents.name})`.mapWith(Number).as("total"),
    })
    .from(secretEvents)
    .innerJoin(
      configurations,
      and(
        eq(configurations.installationId, secretEvents.installationId),
        eq(configurations.revision, secretEvents.revision),
      ),
    )
    .where(and(eq(secretEvents.installationId, installationId), served))
    .as("ranked");
  return db
    .select({
      name: ranked.name,
      action: ranked.action,
      revision: ranked.revision,
      at: ranked.at,
      by: users.name,
      total: ranked.total,
    })
    .from(ranked)
    .leftJoin(users, eq(users.id, ranked.by))
    .where(lte(ranked.rank, limit))
    .orderBy(desc(ranked.id));
}

/** When an app last read each sealed or scrubbed value. Its setting and the revision that set it identify a value. */
export async function selectSecretReads(db: Db, installationId: string) {
  const { rows } = await db.execute<{ name: string; setIn: number; lastReadMs: number }>(sql`
    select s.key as name, (s.value ->> 'setIn')::int as "setIn",
           (extract(epoch from max(r.last_read_at)) * 1000)::float8 as "lastReadMs"
      from ${stateReads} r
      join ${configurations} c on c.installation_id = r.installation_id and c.revision = r.revision
      cross join lateral jsonb_each(c.settings) s
     where r.installation_id = ${installationId} and s.value ->> 'kind' in ('sealed', 'gone')
     group by 1, 2`);
  return rows;
}

/** Whether an earlier revision has a plain value for one of these settings. */
export async function hasPlain(
  tx: Db,
  installationId: string,
  before: number,
  names: readonly string[],
): Promise<boolean> {
  const plain = sql`exists (select 1 from jsonb_each(${configurations.settings}) s
    where s.key = any(${sql.param(names)}) and s.value ->> 'kind' = 'plain')`;
  const found = await tx
    .select({ revision: configurations.revision })
    .from(configurations)
    .where(and(eq(configurations.installationId, installationId), lt(configurations.revision, before), plain))
    .limit(1);
  return found.length === 1;
}

/**
 * A page of the revisions between two, oldest first, with only their plain values of these settings: there may be
 * hundreds of revisions, and their other settings are large. Locked, so that none is scrubbed meanwhile.
 */
export async function selectPlain(
  tx: Db,
  installationId: string,
  { after, before, limit }: { after: number; before: number; limit: number },
  names: readonly string[],
) {
  return tx
    .select({
      revision: configurations.revision,
      versionId: configurations.versionId,
      plain: sql<Record<string, string>>`coalesce((
        select jsonb_object_agg(s.key, s.value ->> 'value') from jsonb_each(${configurations.settings}) s
         where s.key = any(${sql.param(names)}) and s.value ->> 'kind' = 'plain'), '{}')`,
      createdAt: configurations.createdAt,
      createdBy: users.name,
      scrubbedAt: configurations.scrubbedAt,
      served,
    })
    .from(configurations)
    .innerJoin(users, eq(users.id, configurations.createdBy))
    .where(
      and(
        eq(configurations.installationId, installationId),
        gt(configurations.revision, after),
        lt(configurations.revision, before),
      ),
    )
    .orderBy(asc(configurations.revision))
    .limit(limit)
    .for("update", { of: configurations });
}

export type PlainRow = Awaited<ReturnType<typeof selectPlain>>[number];

/** The types that a version declares for these settings. */
export async function selectSettingTypes(db: Db, versionId: string, names: readonly string[]) {
  const { rows } = await db.execute<{ name: string; type: SettingType }>(sql`
    select f ->> 'name' as name, f ->> 'type' as type
      from ${versions} v, jsonb_array_elements(v.manifest -> 'app' -> 'fields') f
     where v.id = ${versionId} and f ->> 'name' = any(${sql.param(names)})`);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Replaces these settings of a revision; its other settings stay. */
export async function replaceSettings(
  tx: Db,
  installationId: string,
  revision: number,
  settings: Record<string, StoredSetting>,
): Promise<void> {
  await tx
    .update(configurations)
    .set({ settings: sql`${configurations.settings} || ${JSON.stringify(settings)}::jsonb` })
    .where(and(eq(configurations.installationId, installationId), eq(configurations.revision, revision)));
}

/** The last revision of the previous version, which a rollback needs. */
const rollbackRevision = sql`(
  select u.from_revision from upgrades u
   where u.installation_id = ${installations.id} and u.to_version_id = ${installations.versionId}
     and not u.rollback and u.switched_at is not null
   order by u.id desc limit 1)`;

/** Revisions superseded before `moment` and not scrubbed yet, oldest first. Concurrent workers get different ones. */
export async function claimScrubbable(tx: Db, moment: Date, limit: number) {
  return tx
    .select({ id: configurations.id, settings: configurations.settings })
    .from(configurations)
    .innerJoin(installations, eq(installations.id, configurations.installationId))
    .where(
      and(
        // A plain comparison, so that PostgreSQL uses the partial index.
        lt(configurations.supersededAt, moment),
        sql`${configurations.scrubbedAt} is null`,
        sql`${configurations.revision} <> ${installations.revision}`,
        sql`${configurations.revision} is distinct from ${rollbackRevision}`,
      ),
    )
    .orderBy(asc(configurations.supersededAt))
    .limit(limit)
    .for("update", { of: configurations, skipLocked: true });
}

export async function markScrubbed(
  tx: Db,
  id: string,
  settings: Record<string, StoredSetting>,
  scrubbedAt: Date,
): Promise<void> {
  await tx.update(configurations).set({ settings, scrubbedAt }).where(eq(configurations.id, id));
}

/** The manifests of all versions that the installation was configured for, newest first. */
export async function selectDeclaringVersions(db: Db, installationId: string) {
  const configured = db
    .selectDistinct({ versionId: configurations.versionId })
    .from(configurations)
    .where(eq(configurations.installationId, installationId));
  return db
    .select({ manifest: versions.manifest })
    .from(versions)
    .where(inArray(versions.id, configured))
    .orderBy(desc(versions.id));
}

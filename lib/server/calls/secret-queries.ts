import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { Db } from "../platform/database/connect";

export interface SealedSetting {
  organizationId: string;
  installationId: string;
  /** A setting's name, or `webhook-secret:<id>`. */
  name: string;
  sealed: string;
  wrapped: string;
  masterKeyId: string;
}

/** More than anyone replaces by hand while a key is valid. A customer whose program replaces more must not slow down others. */
const MOST_FORMER = 1_000;

/** Prepared, because each call needs it. A value that several revisions share comes once; former values newest first. */
const SELECT_SEALED = `
  select i.organization_id as "organizationId", i.id as "installationId", s.name, s.sealed,
         k.wrapped, k.master_key_id as "masterKeyId"
    from (select held.*, row_number() over (order by served, newest desc) as place
            from (select s.key as name, s.value ->> 'sealed' as sealed, bool_or(c.revision = $2) as served,
                         max(c.revision) as newest
                    from configurations c
                   cross join lateral jsonb_each(c.settings) s
                   where c.installation_id = $1 and c.scrubbed_at is null and s.value ->> 'kind' = 'sealed'
                   group by s.key, s.value ->> 'sealed') held) s
    join installations i on i.id = $1
    join data_keys k on k.organization_id = i.organization_id
   where s.served or s.place <= ${MOST_FORMER}
   union all
  select i.organization_id, i.id, 'webhook-secret:' || w.id, w.sealed, k.wrapped, k.master_key_id
    from webhook_secrets w
    join installations i on i.id = w.installation_id
    join data_keys k on k.organization_id = i.organization_id
   where w.installation_id = $1`;

/** The secrets of the revision that an app reads, and of earlier ones: the app may still hold a replaced value. */
export async function selectSealedOfInstallation(
  pool: Pool,
  installationId: string,
  revision: number,
): Promise<SealedSetting[]> {
  const { rows } = await pool.query<SealedSetting>({
    name: "select-sealed-of-installation",
    text: SELECT_SEALED,
    values: [installationId, revision],
  });
  return rows;
}

/**
 * When a customer's secret that the version's apps may have read was last deleted: by an uninstall, or because no revision
 * has it anymore. What an app wrote before then may contain a secret that can no longer be searched for. Null if none was deleted.
 * @param savedSince only customers who saved something since then: of the others, the caller knows all secrets
 */
export async function selectLastSecretDeletion(
  db: Db,
  versionId: string,
  savedSince?: Date,
): Promise<Date | null> {
  const since = savedSince?.toISOString() ?? null;
  const { rows } = await db.execute<{ at: string | null }>(sql`
    with served as (
      select i.id from installations i
       where i.listing_id = (select listing_id from versions where id = ${versionId})
         and exists (select 1 from configurations c where c.installation_id = i.id and c.version_id = ${versionId})
         and (${since}::timestamptz is null or exists (
                select 1 from configurations c where c.installation_id = i.id and c.created_at > ${since}::timestamptz)))
    select greatest(
      (select max(e.at) from secret_events e where e.installation_id in (select id from served) and e.action = 'removed'),
      (select max(c.scrubbed_at) from configurations c cross join lateral jsonb_each(c.settings) g
        where c.installation_id in (select id from served) and c.scrubbed_at is not null and g.value ->> 'kind' = 'gone'
          and not exists (select 1 from configurations d
                           where d.installation_id = c.installation_id and d.settings -> g.key ->> 'kind' = 'sealed'
                             and d.settings -> g.key ->> 'setIn' = g.value ->> 'setIn'))) as at`);
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/**
 * The secrets in all revisions of the next `limit` installations (after the one given) that a version serves or served.
 * Later versions count too: they may keep the same value, and a log is as old as its instance. Each value comes once.
 */
export async function selectSealedOfVersion(
  db: Db,
  versionId: string,
  after: string | undefined,
  limit: number,
): Promise<SealedSetting[]> {
  const { rows } = await db.execute<{ [Name in keyof SealedSetting]: string }>(sql`
    select i.organization_id as "organizationId", i.id as "installationId", s.name, s.sealed,
           k.wrapped, k.master_key_id as "masterKeyId"
      from (select i.id, i.organization_id from installations i
             where i.listing_id = (select listing_id from versions where id = ${versionId}) and i.state <> 'UNINSTALLED'
               and (${after ?? null}::uuid is null or i.id > ${after ?? null}::uuid)
               and exists (select 1 from configurations c where c.installation_id = i.id and c.version_id = ${versionId})
               and (exists (select 1 from webhook_secrets w where w.installation_id = i.id)
                or exists (select 1 from configurations c where c.installation_id = i.id and c.scrubbed_at is null
                            and jsonb_path_exists(c.settings, '$.* ? (@.kind == "sealed")')))
             order by i.id limit ${limit}) i
      join data_keys k on k.organization_id = i.organization_id
     cross join lateral (
       select s.key as name, s.value ->> 'sealed' as sealed
         from configurations c cross join lateral jsonb_each(c.settings) s
        where c.installation_id = i.id and c.scrubbed_at is null and s.value ->> 'kind' = 'sealed'
        union
       select 'webhook-secret:' || w.id, w.sealed from webhook_secrets w where w.installation_id = i.id) s
     order by i.id, s.name, s.sealed`);
  return rows;
}

/**
 * The secrets that apps of a version are asked to check at the moment. A check's id takes the place of an installation's. They are
 * deleted when the check ends.
 */
export async function selectSealedOfChecks(db: Db, versionId: string): Promise<SealedSetting[]> {
  const { rows } = await db.execute<{ [Name in keyof SealedSetting]: string }>(sql`
    select c.organization_id as "organizationId", c.id as "installationId", s.key as name,
           s.value ->> 'sealed' as sealed, k.wrapped, k.master_key_id as "masterKeyId"
      from configuration_checks c
      join data_keys k on k.organization_id = c.organization_id
     cross join lateral jsonb_each(c.settings) s
     where c.version_id = ${versionId} and c.settings is not null and s.value ->> 'kind' = 'sealed'`);
  return rows;
}

/** The checks of a version that have ended lately: until when each may have left something in a log. */
export async function selectEndedChecks(
  db: Db,
  versionId: string,
): Promise<{ id: string; endedAt: string }[]> {
  const { rows } = await db.execute<{ id: string; endedAt: string }>(sql`
    select id, ended_at as "endedAt" from configuration_checks
     where version_id = ${versionId} and ended_at is not null`);
  return rows;
}

import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { Db } from "../../database/connect";

export interface SealedSetting {
  organizationId: string;
  installationId: string;
  name: string;
  sealed: string;
  wrapped: string;
  masterKeyId: string;
}

/** Nobody replaces so many secrets by hand while a key lives; a customer whose program does must not slow others. */
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
   where s.served or s.place <= ${MOST_FORMER}`;

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
    select distinct on (i.id, s.key, s.value ->> 'sealed') i.organization_id as "organizationId",
           i.id as "installationId", s.key as name, s.value ->> 'sealed' as sealed,
           k.wrapped, k.master_key_id as "masterKeyId"
      from (select i.id, i.organization_id from installations i
             where i.listing_id = (select listing_id from versions where id = ${versionId}) and i.state <> 'UNINSTALLED'
               and (${after ?? null}::uuid is null or i.id > ${after ?? null}::uuid)
               and exists (select 1 from configurations c where c.installation_id = i.id and c.version_id = ${versionId})
               and exists (select 1 from configurations c where c.installation_id = i.id and c.scrubbed_at is null
                            and jsonb_path_exists(c.settings, '$.* ? (@.kind == "sealed")'))
             order by i.id limit ${limit}) i
      join configurations c on c.installation_id = i.id and c.scrubbed_at is null
      join data_keys k on k.organization_id = i.organization_id
     cross join lateral jsonb_each(c.settings) s
     where s.value ->> 'kind' = 'sealed'
     order by i.id, s.key, s.value ->> 'sealed'`);
  return rows;
}

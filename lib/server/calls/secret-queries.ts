import type { Pool } from "pg";

export interface SealedSetting {
  organizationId: string;
  installationId: string;
  name: string;
  sealed: string;
  wrapped: string;
  masterKeyId: string;
}

/** No person replaces so many secrets while a key lives; who lets a program do it must not slow the calls of others. */
const MOST_FORMER = 1_000;

/**
 * Prepared, as it is done at each call. What a scrubbed revision held is nowhere sealed any more. The same value of
 * several revisions comes once; of those that are not served, the newest count.
 */
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

/**
 * What is sealed in the revision that an app reads, and in the others of its installation: an app may hold what it read
 * before that was replaced.
 */
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

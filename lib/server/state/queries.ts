import type { Pool } from "pg";
import type { InstallationState, RouteKind } from "@/lib/contract/installation";
import type { StoredSetting } from "@/drizzle/schema/installations";
import type { StateKeyContent } from "../keys/state-key";

export interface StateRow {
  organizationId: string;
  state: InstallationState;
  kind: RouteKind;
  revision: number;
  settings: Record<string, StoredSetting>;
  mappings: { productName: string; fields: Record<string, string> }[];
  coreApiUrl: string;
  tenantHostName: string;
  organizationSlug: string;
  productNames: string[] | null;
  wrapped: string | null;
  masterKeyId: string | null;
}

/** The state API's only read: one prepared statement by primary keys. Drizzle's query builder would cost more than the query. */
export const SELECT_STATE = `
  select i.organization_id as "organizationId", i.state, r.kind, c.revision, c.settings, c.mappings,
         t.core_api_url as "coreApiUrl", t.host_name as "tenantHostName",
         o.slug as "organizationSlug",
         (select jsonb_agg(p.name order by p.name) from products p where p.tenant_id = i.tenant_id) as "productNames",
         k.wrapped, k.master_key_id as "masterKeyId"
    from installations i
    join routes r on r.id = $2 and r.installation_id = i.id
    join configurations c on c.installation_id = i.id and c.revision = $3
    join tenants t on t.id = i.tenant_id
    join organizations o on o.id = i.organization_id
    left join data_keys k on k.organization_id = i.organization_id
   where i.id = $1 and i.key_epoch = $4`;

/** Undefined if the key's route or revision is not the installation's, or its epoch has ended. */
export async function selectState(
  pool: Pool,
  { installationId, routeId, revision, epoch }: StateKeyContent,
): Promise<StateRow | undefined> {
  const { rows } = await pool.query<StateRow>({
    name: "select-state",
    text: SELECT_STATE,
    values: [installationId, routeId, revision, epoch],
  });
  return rows[0];
}

export interface StateRead {
  attemptId: string;
  installationId: string;
  count: number;
  /** When it was first read, on this process's monotonic clock (`performance.now()`). */
  firstMs: number;
  revision: number;
}

/** A read's moment on the database's clock, on which its call is timed too: processes and machines have clocks of their own. */
const FIRST_AT = "now() - s.age_ms * interval '1 millisecond'";

/** Locks attempts in the order of their ids: batches that share attempts, or the end of a call, cannot deadlock. */
const RECORD_READS = `
  with locked as (select id from attempts where id = any($1::uuid[]) order by id for no key update)
  update attempts a
     set state_reads = a.state_reads + s.count,
         state_read_at = coalesce(a.state_read_at, ${FIRST_AT}),
         state_revision = s.revision
    from unnest($1::uuid[], $2::int[], $3::float8[], $4::int[]) as s (attempt_id, count, age_ms, revision)
    join locked on locked.id = s.attempt_id
   where a.id = s.attempt_id`;

const RECORD_LAST_READS = `
  insert into state_reads (installation_id, revision, last_read_at)
  select s.installation_id, s.revision, max(${FIRST_AT})
    from unnest($1::uuid[], $2::int[], $3::float8[]) as s (installation_id, revision, age_ms)
   group by 1, 2 order by 1, 2
  on conflict (installation_id, revision)
  do update set last_read_at = greatest(state_reads.last_read_at, excluded.last_read_at)`;

export async function recordReads(pool: Pool, reads: StateRead[]): Promise<void> {
  // Ages are taken once there is a connection: a wait for one would make the reads look later than they were.
  const client = await pool.connect();
  const ages = () => reads.map((read) => performance.now() - read.firstMs);
  const revisions = reads.map((read) => read.revision);
  try {
    await client.query({
      name: "record-state-reads",
      text: RECORD_READS,
      values: [reads.map((read) => read.attemptId), reads.map((read) => read.count), ages(), revisions],
    });
    await client.query({
      name: "record-last-reads",
      text: RECORD_LAST_READS,
      values: [reads.map((read) => read.installationId), revisions, ages()],
    });
  } finally {
    client.release();
  }
}

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
  /** When it was first and last read, on this process's monotonic clock (`performance.now()`). */
  firstMs: number;
  lastMs: number;
  revision: number;
}

/** A moment on the database's clock, on which calls are timed too: processes and machines have clocks of their own. */
function agoToMoment(ageMs: string): string {
  return `now() - ${ageMs} * interval '1 millisecond'`;
}

/** In the order of their ids, so that batches of several gateways that share attempts cannot deadlock. */
const RECORD_READS = `
  insert into attempt_state_reads (attempt_id, count, first_read_at, last_read_at, revision)
  select s.attempt_id, s.count, ${agoToMoment("s.first_age_ms")}, ${agoToMoment("s.last_age_ms")}, s.revision
    from unnest($1::uuid[], $2::int[], $3::float8[], $4::float8[], $5::int[])
      as s (attempt_id, count, first_age_ms, last_age_ms, revision)
   order by s.attempt_id
  on conflict (attempt_id) do update
     set count = attempt_state_reads.count + excluded.count,
         first_read_at = least(attempt_state_reads.first_read_at, excluded.first_read_at),
         last_read_at = greatest(attempt_state_reads.last_read_at, excluded.last_read_at)`;

const RECORD_LAST_READS = `
  insert into state_reads (installation_id, revision, last_read_at)
  select s.installation_id, s.revision, max(${agoToMoment("s.age_ms")})
    from unnest($1::uuid[], $2::int[], $3::float8[]) as s (installation_id, revision, age_ms)
   group by 1, 2 order by 1, 2
  on conflict (installation_id, revision)
  do update set last_read_at = greatest(state_reads.last_read_at, excluded.last_read_at)`;

export async function recordReads(pool: Pool, reads: StateRead[]): Promise<void> {
  // Ages are taken once there is a connection: a wait for one would make the reads look later than they were.
  const client = await pool.connect();
  const ages = (at: "firstMs" | "lastMs") => reads.map((read) => performance.now() - read[at]);
  const revisions = reads.map((read) => read.revision);
  try {
    await client.query({
      name: "record-state-reads",
      text: RECORD_READS,
      values: [
        reads.map((read) => read.attemptId),
        reads.map((read) => read.count),
        ages("firstMs"),
        ages("lastMs"),
        revisions,
      ],
    });
    await client.query({
      name: "record-last-reads",
      text: RECORD_LAST_READS,
      values: [reads.map((read) => read.installationId), revisions, ages("lastMs")],
    });
  } finally {
    client.release();
  }
}

import type { Pool } from "pg";
import type { CheckedSetting, StoredSetting } from "@/drizzle/schema/installations-configurations";
import type { InstallationState, RouteKind } from "@/lib/contract/catalog/installation-states";
import type { StateKeyContent } from "../platform/state-key";

export interface RecordRow {
  organizationId: string;
  settings: Record<string, StoredSetting | CheckedSetting>;
  mappings: { productName: string; fields: Record<string, string> }[];
  coreApiUrl: string;
  tenantHostName: string;
  organizationSlug: string;
  /** The permissions that the customer agreed to. */
  scope: string | null;
  /** Optional hosts of the version that the organization refused; null if there are none. */
  refusedHosts: string[] | null;
  productNames: string[] | null;
  wrapped: string | null;
  masterKeyId: string | null;
  /** The token's, if it is not the `installationId` of the key. */
  subject?: string;
}

export interface StateRow extends RecordRow {
  state: InstallationState;
  kind: RouteKind;
}

/** Only what the manifest of the configuration's version has as optional: an upgrade to one that needs the host was agreed to. */
const refusedHosts = (organizationId: string, listingId: string) => `
         (select jsonb_agg(h.host order by h.host) from host_refusals h
            join versions v on v.id = c.version_id
           where h.organization_id = ${organizationId} and h.listing_id = ${listingId}
             and v.manifest #> '{core,hosts}'
                 @> jsonb_build_array(jsonb_build_object('host', h.host, 'optional', true))) as "refusedHosts"`;

/** The state API's only read: primary keys, for many keys at once. Drizzle's query builder would cost more than the query. */
const SELECT_STATES = `
  select s.place::int, i.organization_id as "organizationId", i.state, r.kind, c.settings, c.mappings,
         t.core_api_url as "coreApiUrl", t.host_name as "tenantHostName",
         o.slug as "organizationSlug", c.scope, ${refusedHosts("i.organization_id", "i.listing_id")},
         (select jsonb_agg(p.name order by p.name) from products p where p.tenant_id = i.tenant_id) as "productNames",
         k.wrapped, k.master_key_id as "masterKeyId"
    from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) with ordinality
      as s (installation_id, route_id, revision, epoch, place)
    join installations i on i.id = s.installation_id and i.key_epoch = s.epoch
    join routes r on r.id = s.route_id and r.installation_id = i.id
    join configurations c on c.installation_id = i.id and c.revision = s.revision
    join tenants t on t.id = i.tenant_id
    join organizations o on o.id = i.organization_id
    left join data_keys k on k.organization_id = i.organization_id`;

/**
 * By the places of their keys, from 0. A key has none if its route or revision is not the installation's, or if its epoch
 * has ended.
 */
export async function selectStates(pool: Pool, keys: StateKeyContent[]): Promise<Map<number, StateRow>> {
  const { rows } = await pool.query<StateRow & { place: number }>({
    name: "select-states",
    text: SELECT_STATES,
    values: [
      keys.map(({ installationId }) => installationId),
      keys.map(({ routeId }) => routeId),
      keys.map(({ revision }) => revision),
      keys.map(({ epoch }) => epoch),
    ],
  });
  return new Map(rows.map((row) => [row.place - 1, row]));
}

/** Answers that are being checked and are not saved. Only while the app is called. */
const SELECT_CHECK_STATE = `
  select c.organization_id as "organizationId", c.settings, c.mappings, t.core_api_url as "coreApiUrl",
         t.host_name as "tenantHostName", o.slug as "organizationSlug", c.scope, ${refusedHosts("c.organization_id", "v.listing_id")},
         coalesce(c.installation_id::text, 'check:' || c.id) as subject,
         (select jsonb_agg(p.name order by p.name) from products p where p.tenant_id = c.tenant_id) as "productNames",
         k.wrapped, k.master_key_id as "masterKeyId"
    from configuration_checks c
    join tenants t on t.id = c.tenant_id
    join organizations o on o.id = c.organization_id
    left join data_keys k on k.organization_id = c.organization_id
   where c.id = $1 and c.state = 'CALLING'
     and not exists (select 1 from installations i
                      where i.id = c.installation_id and i.state in ('UNINSTALLING', 'UNINSTALLED'))`;

export async function selectCheckState(pool: Pool, checkId: string): Promise<RecordRow | undefined> {
  const { rows } = await pool.query<RecordRow>({
    name: "select-check-state",
    text: SELECT_CHECK_STATE,
    values: [checkId],
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

/**
 * Exact to a minute: most reads find their revision's row young enough and write nothing. `skip locked`, because another
 * gateway that holds a row is writing the same. An installation that is gone takes no other's note with it.
 */
const RECORD_LAST_READS = `
  with reads as materialized (
         select installation_id, revision, max(${agoToMoment("age_ms")}) as read_at
           from unnest($1::uuid[], $2::int[], $3::float8[]) as s (installation_id, revision, age_ms)
          group by 1, 2),
       outdated as (
         select r.installation_id, r.revision, reads.read_at
           from reads join state_reads r using (installation_id, revision)
          where r.last_read_at < reads.read_at - interval '1 minute'
            for no key update of r skip locked),
       refreshed as (
         update state_reads r set last_read_at = outdated.read_at from outdated
          where r.installation_id = outdated.installation_id and r.revision = outdated.revision)
  insert into state_reads (installation_id, revision, last_read_at)
  select * from reads
   where not exists (select 1 from state_reads r
                      where r.installation_id = reads.installation_id and r.revision = reads.revision)
     and exists (select 1 from installations i where i.id = reads.installation_id for key share)
   order by 1, 2
  on conflict do nothing`;

export async function recordReads(pool: Pool, reads: StateRead[]): Promise<void> {
  // Ages are computed once there is a connection. Waiting for one would make the reads look later than they were.
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

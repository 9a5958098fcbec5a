/** What the egress guard counted: each of its totals added once, whichever workers it was reported to. */
import { and, desc, eq, gte, inArray, max, min, type SQL, sql, sum } from "drizzle-orm";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { egressDays, egressWatches, instances } from "@/drizzle/schema/runtime";
import type { Host } from "@/lib/contract/catalog/manifest";
import type { EgressCount } from "@/lib/contract/runtime/egress";
import { OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";
import type { WatchedVersion } from "@/lib/domain/catalog/fewer-hosts";
import type { HostUse } from "@/lib/domain/runtime/egress/view-egress";
import type { Db } from "../platform/database/connect";
import { LIVE } from "./instance-queries";
import { DAY_MS, inBatches, type RetentionJob } from "../platform/retention-queries";

/** Hosts of a version and day that are told apart. */
const MOST_HOSTS = 200;
/** Of these, those to which nothing was let through, and the others: an app that tries many names must not hide those that it uses. */
const MOST_OF_A_KIND = 100;

/** A counter that nothing was reported of for so long is forgotten. */
const FORGOTTEN_MS = 2 * DAY_MS;

export interface Refused extends Record<string, unknown> {
  versionId: string;
  day: string;
  host: string;
  port: number;
  reason: string;
  /** Attempts that were refused within an hour. */
  lately: number;
  /** No line in the log told of it within an hour. */
  isUnlogged: boolean;
  /** Its publisher was not notified of it on this day. */
  isUntold: boolean;
}

/**
 * Adds what was not added yet. Returns the hosts that attempts were refused to now. Counters of the same policy, host and port must be
 * in one entry.
 *
 * A counter that was forgotten counts as one connection or attempt more than before: it was reported because something happened.
 */
export async function addCounts(
  tx: Db,
  counts: readonly EgressCount[],
  now = new Date(),
): Promise<Refused[]> {
  // Reports of one guard reach all workers at once.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('egress', 0))`);
  const column = (read: (count: EgressCount) => string | number) => sql.param(counts.map(read));
  const forgotten = now.getTime() - FORGOTTEN_MS;
  /** What a counter had when it was last recorded. */
  const before = (name: string, isEvent: boolean) =>
    sql.raw(`case
      when c.since = r.since then c.${name} when c.since < r.since then 0 when c.since > r.since then r.${name}
      when r.since < ${forgotten} then ${isEvent ? `greatest(r.${name} - 1, 0)` : `r.${name}`} else 0 end`);
  const added = (name: string, isEvent = false) =>
    sql`greatest(r.${sql.raw(name)} - ${before(name, isEvent)}, 0) as ${sql.raw(name)}`;
  const keepMost = (name: string) =>
    sql.raw(
      `${name} = case when c.since = excluded.since then greatest(c.${name}, excluded.${name}) else excluded.${name} end`,
    );
  const { rows } = await tx.execute<Refused & { isRefused: boolean }>(sql`
    with reported as (
           select * from unnest(${column(({ id }) => id)}::text[], ${column(({ versionId }) => versionId)}::uuid[],
                    ${column(({ host }) => host)}::text[], ${column(({ port }) => port)}::int[],
                    ${column(({ connections }) => connections)}::bigint[], ${column(({ bytesOut }) => bytesOut)}::bigint[],
                    ${column(({ bytesIn }) => bytesIn)}::bigint[], ${column(({ refused }) => refused)}::bigint[],
                    ${column(({ reason }) => reason)}::text[], ${column(({ firstAt }) => firstAt)}::bigint[],
                    ${column(({ lastAt }) => lastAt)}::bigint[])
               as r(policy, version_id, host, port, connections, bytes_out, bytes_in, refused, reason, since, last_ms)),
         added as (
           select r.version_id, r.host, r.port, r.reason, ${added("connections", true)}, ${added("bytes_out")},
                  ${added("bytes_in")}, ${added("refused", true)}, to_timestamp(r.last_ms / 1000.0) as last_at,
                  to_timestamp((case when c.since = r.since or r.since < ${forgotten} then r.last_ms else r.since end) / 1000.0) as first_at
             from reported r left join egress_counters c using (policy, host, port)),
         recorded as (
           insert into egress_counters as c (policy, host, port, since, connections, bytes_out, bytes_in, refused, recorded_at)
           select policy, host, port, since, connections, bytes_out, bytes_in, refused, now() from reported
               on conflict (policy, host, port) do update
              set since = excluded.since, recorded_at = excluded.recorded_at, ${keepMost("connections")},
                  ${keepMost("bytes_out")}, ${keepMost("bytes_in")}, ${keepMost("refused")}
            where excluded.since >= c.since),
         hosts as (
           select version_id, (last_at at time zone 'UTC')::date as day, host, sum(connections) as connections,
                  sum(bytes_out) as bytes_out, sum(bytes_in) as bytes_in, sum(refused) as refused,
                  (array_agg(reason order by last_at desc) filter (where refused > 0))[1] as reason,
                  (array_agg(port order by last_at desc) filter (where refused > 0))[1] as port,
                  min(first_at) as first_at, max(last_at) as last_at,
                  sum(connections + bytes_out + bytes_in) > 0 as is_used
             from added where connections + bytes_out + bytes_in + refused > 0
            group by 1, 2, 3),
         known as (
           select h.*, exists (select from egress_days d
                                where d.version_id = h.version_id and d.day = h.day and d.host = h.host) as is_known
             from hosts h),
         taken as (
           select version_id, day, count(*) as all_hosts, count(*) filter (where connections + bytes_out + bytes_in > 0) as used
             from egress_days
            where (version_id, day) in (select version_id, day from hosts) and host <> ${OTHER_HOSTS}
            group by 1, 2),
         placed as (
           select k.*, coalesce(t.all_hosts, 0) as taken,
                  not is_known and row_number() over (partition by version_id, day, is_known, is_used order by first_at, host)
                    <= ${MOST_OF_A_KIND} - case when is_used then coalesce(t.used, 0) else coalesce(t.all_hosts - t.used, 0) end as is_new
             from known k left join taken t using (version_id, day)),
         named as (
           select *, case when is_known or (is_new and row_number() over (
                            partition by version_id, day, is_new order by is_used desc, first_at, host) <= ${MOST_HOSTS} - taken)
                          then host else ${OTHER_HOSTS} end as name
             from placed)
    insert into egress_days as d (version_id, day, host, connections, bytes_out, bytes_in, refused, reason, refused_port,
                                  refused_at, refused_since, refused_lately, first_at, last_at)
    select version_id, day, name, sum(connections), sum(bytes_out), sum(bytes_in), sum(refused),
           (array_agg(reason order by last_at desc) filter (where refused > 0))[1],
           (array_agg(port order by last_at desc) filter (where refused > 0))[1],
           case when sum(refused) > 0 then now() end, case when sum(refused) > 0 then now() end,
           least(sum(refused), 1e9)::int, min(first_at), max(last_at)
      from named group by 1, 2, 3 order by 1, 2, 3
        on conflict (version_id, day, host) do update
       set connections = d.connections + excluded.connections, bytes_out = d.bytes_out + excluded.bytes_out,
           bytes_in = d.bytes_in + excluded.bytes_in, refused = d.refused + excluded.refused,
           reason = coalesce(excluded.reason, d.reason), refused_port = coalesce(excluded.refused_port, d.refused_port),
           refused_at = coalesce(excluded.refused_at, d.refused_at),
           refused_since = case when excluded.refused = 0 or ${isLately("d.refused_since")} then d.refused_since else now() end,
           refused_lately = case when excluded.refused = 0 then d.refused_lately
                                 when ${isLately("d.refused_since")} then least(d.refused_lately::bigint + excluded.refused, 1e9)::int
                                 else excluded.refused_lately end,
           first_at = least(d.first_at, excluded.first_at), last_at = greatest(d.last_at, excluded.last_at)
    returning version_id as "versionId", day::text as day, host, refused_port as port, reason, refused_lately as lately,
              refused_at is not distinct from now() as "isRefused",
              not ${isLately("logged_at")} as "isUnlogged", notified_at is null as "isUntold"`);
  return rows.flatMap(({ isRefused, ...refused }) => (isRefused ? [refused] : []));
}

/** A moment that is not more than an hour ago; false if there is none. */
const isLately = (moment: string) => sql.raw(`coalesce(${moment} > now() - interval '1 hour', false)`);

/** Notes that the log, and the publisher, were told. */
export async function noteTold(
  tx: Db,
  logged: readonly Refused[],
  notified: readonly Refused[],
): Promise<void> {
  const among = (refused: readonly Refused[]) => sql`(version_id, day, host) in (
    select * from unnest(${sql.param(refused.map(({ versionId }) => versionId))}::uuid[],
                         ${sql.param(refused.map(({ day }) => day))}::date[], ${sql.param(refused.map(({ host }) => host))}::text[]))`;
  await tx.execute(sql`
    update egress_days
       set logged_at = case when ${among(logged)} then now() else logged_at end,
           notified_at = case when ${among(notified)} then now() else notified_at end
     where ${among([...logged, ...notified])}`);
}

/** What is needed to tell of refused attempts: the hosts that each version declares, and an instance that runs; newest last. */
export async function selectTold(db: Db, versionIds: readonly string[]) {
  return db
    .selectDistinctOn([versions.id], {
      versionId: versions.id,
      listingId: versions.listingId,
      hosts: declaredHosts,
      instanceId: instances.id,
    })
    .from(versions)
    .leftJoin(instances, and(eq(instances.versionId, versions.id), inArray(instances.state, LIVE)))
    .where(inArray(versions.id, [...versionIds]))
    .orderBy(versions.id, desc(instances.id));
}

/** Absent if any host is allowed. A manifest can be large, and this is the only part that matters. */
const declaredHosts = sql<Host[] | null>`${versions.manifest} -> 'core' -> 'hosts'`;

/** On this day, the guard watched this version. */
export type Watch = typeof egressWatches.$inferInsert;

export async function addWatches(db: Db, watches: readonly Watch[]): Promise<void> {
  if (watches.length > 0)
    await db
      .insert(egressWatches)
      .values([...watches])
      .onConflictDoNothing();
}

// What pages show.

/** More than a page tells apart: of more hosts, the ones that were used or tried last. */
const MOST_USES = 1_000;

/** A version, what automatic checks ran (by the id of their evidence), or all versions of a listing. */
export type Watched = { versionId: string } | { listingId: string };

function isOf(
  db: Db,
  table: typeof egressDays | typeof egressWatches | typeof instances,
  which: Watched,
): SQL {
  if ("versionId" in which) return eq(table.versionId, which.versionId);
  const ids = db.select({ id: versions.id }).from(versions).where(eq(versions.listingId, which.listingId));
  return inArray(table.versionId, ids);
}

/** Each host with what was counted of it since a day, and how many more hosts there are. */
export async function selectUses(
  db: Db,
  which: Watched,
  since: string,
): Promise<{ uses: HostUse[]; more: number }> {
  const { host, connections, bytesOut, bytesIn, refused, reason, refusedAt, firstAt, lastAt } = egressDays;
  const isUse = sql`${connections} + ${bytesOut} + ${bytesIn} > 0`;
  const rows = await db
    .select({
      host,
      connections: sum(connections).mapWith(Number),
      bytesOut: sum(bytesOut).mapWith(Number),
      bytesIn: sum(bytesIn).mapWith(Number),
      refused: sum(refused).mapWith(Number),
      reason: sql<string | null>`(array_agg(${reason} order by ${refusedAt} desc nulls last))[1]`,
      firstUsedAt: sql<Date | null>`min(${firstAt}) filter (where ${isUse})`.mapWith(firstAt),
      usedAt: sql<Date | null>`max(${lastAt}) filter (where ${isUse})`.mapWith(lastAt),
      total: sql`count(*) over ()`.mapWith(Number),
    })
    .from(egressDays)
    .where(and(isOf(db, egressDays, which), gte(egressDays.day, since)))
    .groupBy(host)
    .orderBy(desc(max(lastAt)), host)
    .limit(MOST_USES);
  return {
    uses: rows.map(({ firstUsedAt, usedAt, total: _, ...row }) => ({
      ...row,
      firstUsedAt: firstUsedAt?.toISOString() ?? null,
      usedAt: usedAt?.toISOString() ?? null,
    })),
    more: (rows[0]?.total ?? 0) - rows.length,
  };
}

/** The first day on which the guard watched it, and in which runtime it ran last; null if it was never watched, or never ran. */
export async function selectObservation(
  db: Db,
  which: Watched,
  since: string,
): Promise<{ since: string | null; lastRuntime: string | null }> {
  const watched = db
    .select({ day: min(egressWatches.day) })
    .from(egressWatches)
    .where(and(isOf(db, egressWatches, which), gte(egressWatches.day, since)));
  const ran = db
    .select({ runtime: instances.runtime })
    .from(instances)
    .where(isOf(db, instances, which))
    .orderBy(desc(instances.id))
    .limit(1);
  const { rows } = await db.execute<{ since: string | null; lastRuntime: string | null }>(
    sql`select (${watched})::text as since, (${ran}) as "lastRuntime"`,
  );
  return rows[0] ?? { since: null, lastRuntime: null };
}

/** On which days each version of a listing was watched, and what it declares. */
export async function selectWatchedVersions(
  db: Db,
  listingId: string,
  since: string,
): Promise<WatchedVersion[]> {
  const rows = await db
    .select({ hosts: declaredHosts, days: sql<string[]>`array_agg(${egressWatches.day}::text)` })
    .from(egressWatches)
    .innerJoin(versions, eq(versions.id, egressWatches.versionId))
    .where(and(eq(versions.listingId, listingId), gte(egressWatches.day, since)))
    .groupBy(versions.id);
  return rows.map(({ hosts, days }) => ({ hosts: hosts ?? undefined, days }));
}

/** More tell nothing new. */
const MOST_ENTERED = 10_000;

/**
 * What leads to hosts of the customers of a listing's app: the URLs of their cores, and what they entered in these settings, in any revision.
 * Whoever reads it must not tell the publisher or another customer.
 */
export async function selectCustomersHosts(db: Db, listingId: string, settings: readonly string[]) {
  const { rows } = await db.execute<{ setting: string | null; value: string }>(sql`
    select distinct null as setting, t.core_api_url as value
      from ${installations} i join ${tenants} t on t.id = i.tenant_id where i.listing_id = ${listingId}
     union
    (select s.key, s.value ->> 'value'
       from ${installations} i join ${configurations} c on c.installation_id = i.id, jsonb_each(c.settings) s
      where i.listing_id = ${listingId} and s.key = any(${sql.param([...settings])}::text[])
        and s.value ->> 'kind' = 'plain'
      limit ${MOST_ENTERED})`);
  const valuesOf = (setting: string | null) =>
    rows.filter((each) => each.setting === setting).map(({ value }) => value);
  return { cores: valuesOf(null), valuesOf: (setting: string) => valuesOf(setting) };
}

// Retention.

async function deleteDays(
  tx: Db,
  table: "egress_days" | "egress_watches",
  cutoff: Date,
  limit: number,
): Promise<number> {
  const name = sql.raw(table);
  const { rowCount } = await tx.execute(sql`
    delete from ${name} where ctid = any(array(
      select ctid from ${name} where day < ${cutoff.toISOString().slice(0, 10)} order by day limit ${limit} for update skip locked))`);
  return rowCount ?? 0;
}

async function deleteCounters(tx: Db, cutoff: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from egress_counters where ctid = any(array(
      select ctid from egress_counters where recorded_at < ${cutoff.toISOString()}
       order by recorded_at limit ${limit} for update skip locked))`);
  return rowCount ?? 0;
}

/** As far as pages and proposals look back. */
export const EGRESS_DAYS = 90;

export const EGRESS_RETENTION: RetentionJob[] = [
  inBatches("egressDays", EGRESS_DAYS * DAY_MS, (tx, cutoff, limit) =>
    deleteDays(tx, "egress_days", cutoff, limit),
  ),
  inBatches("egressWatches", EGRESS_DAYS * DAY_MS, (tx, cutoff, limit) =>
    deleteDays(tx, "egress_watches", cutoff, limit),
  ),
  inBatches("egressCounters", FORGOTTEN_MS, deleteCounters),
];

/** Of automatic checks, before they run again. */
export async function forgetEgress(tx: Db, id: string): Promise<void> {
  await tx.delete(egressDays).where(eq(egressDays.versionId, id));
  await tx.delete(egressWatches).where(eq(egressWatches.versionId, id));
}

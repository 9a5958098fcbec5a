import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { instances } from "@/drizzle/schema/runtime";
import type { Db } from "../../platform/database/connect";
import type { Usage } from "../../runtime/engines/runtime";
import { DAY_MS, inBatches, type RetentionJob } from "../../platform/retention-queries";

export type ClaimedInstance = Awaited<ReturnType<typeof claimSamples>>[number];

export async function claimSamples(db: Db, everySeconds: number) {
  const isDue = or(
    isNull(instances.sampledAt),
    lt(instances.sampledAt, sql`now() - make_interval(secs => ${everySeconds})`),
  );
  return db
    .update(instances)
    .set({ sampledAt: sql`now()` })
    .where(and(eq(instances.state, "READY"), isDue))
    .returning({
      id: instances.id,
      versionId: instances.versionId,
      runtime: instances.runtime,
      handle: instances.handle,
    });
}

export interface Sample {
  instanceId: string;
  versionId: string;
  usage: Usage;
  /** On the clock of `performance`. */
  measuredAt: number;
}

/** Two samples further apart than so many intervals have a gap between them. */
const GAP = 3;

/**
 * Stores samples, with the CPU time that each instance used since its sample before, and adds them to their hour. Where only the rate is
 * known, the CPU time is what it adds up to since then, whichever worker measured before. One statement, so that both tables always agree.
 */
export async function insertSamples(db: Db, samples: readonly Sample[], everySeconds: number): Promise<void> {
  const column = (read: (sample: Sample) => string | number | null) => sql.param(samples.map(read));
  const now = performance.now();
  await db.execute(sql`
    with measured as (
           select *, now() - make_interval(secs => age_seconds) as at
             from unnest(${column(({ versionId }) => versionId)}::uuid[],
                         ${column(({ instanceId }) => instanceId)}::uuid[],
                         ${column(({ measuredAt }) => (now - measuredAt) / 1000)}::float8[],
                         ${column(({ usage }) => usage.cpuNs)}::bigint[],
                         ${column(({ usage }) => usage.cpuMillis ?? null)}::float8[],
                         ${column(({ usage }) => usage.memoryBytes)}::bigint[],
                         ${column(({ usage }) => usage.limits?.cpuMillis ?? null)}::int[],
                         ${column(({ usage }) => usage.limits?.memoryBytes ?? null)}::bigint[])
               as m(version_id, instance_id, age_seconds, total_ns, rate_millis, memory_bytes, cpu_limit_millis, memory_limit_bytes)),
         compared as (
           select m.*, b.cpu_ns as before_ns, ceil(extract(epoch from m.at - b.at) * 1000) as elapsed_ms
             from measured m
             left join lateral (
                    select cpu_ns, at from usage_samples s
                     where s.version_id = m.version_id and s.instance_id = m.instance_id and s.at < m.at
                       and s.at > m.at - make_interval(secs => ${GAP * everySeconds})
                     order by s.at desc limit 1) b
               on m.total_ns is null or b.cpu_ns <= m.total_ns),
         counted as (
           select c.*, coalesce(total_ns - before_ns, rate_millis * elapsed_ms * 1000)::bigint as used_ns from compared c),
         stored as (
           insert into usage_samples (version_id, at, instance_id, cpu_ns, used_ns, elapsed_ms, memory_bytes,
                                      cpu_limit_millis, memory_limit_bytes)
           select version_id, at, instance_id, coalesce(total_ns, before_ns + used_ns, 0), used_ns, elapsed_ms,
                  memory_bytes, cpu_limit_millis, memory_limit_bytes
             from counted
           returning *)
    insert into usage_hours as h (version_id, hour, samples, used_ns, elapsed_ms, peak_cores, memory_bytes,
                                  peak_memory_bytes, cpu_limit_millis, memory_limit_bytes)
    select version_id, date_trunc('hour', at, 'UTC'), count(*), coalesce(sum(used_ns), 0),
           coalesce(sum(elapsed_ms), 0), max(used_ns / (elapsed_ms * 1e6)), sum(memory_bytes), max(memory_bytes),
           max(cpu_limit_millis), max(memory_limit_bytes)
      from stored
     group by 1, 2
        on conflict (version_id, hour) do update
       set samples = h.samples + excluded.samples,
           used_ns = h.used_ns + excluded.used_ns,
           elapsed_ms = h.elapsed_ms + excluded.elapsed_ms,
           peak_cores = greatest(h.peak_cores, excluded.peak_cores),
           memory_bytes = h.memory_bytes + excluded.memory_bytes,
           peak_memory_bytes = greatest(h.peak_memory_bytes, excluded.peak_memory_bytes),
           cpu_limit_millis = excluded.cpu_limit_millis,
           memory_limit_bytes = excluded.memory_limit_bytes`);
}

/** Deletes samples of what instances used before `cutoff`. Returns how many. */
async function deleteSamples(tx: Db, cutoff: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from usage_samples where (version_id, at, instance_id) in (
      select version_id, at, instance_id from usage_samples where at < ${cutoff.toISOString()}
       order by at limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}

/** Deletes hours of what versions used before `cutoff`. Returns how many. */
async function deleteUsageHours(tx: Db, cutoff: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from usage_hours where (version_id, hour) in (
      select version_id, hour from usage_hours where hour < ${cutoff.toISOString()}
       order by hour limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}

export const USAGE_RETENTION: RetentionJob[] = [
  // Longer ranges are shown from hours.
  inBatches("usageSamples", 2 * DAY_MS, deleteSamples),
  // As far as the metrics of an app are shown, and a little more.
  inBatches("usageHours", 31 * DAY_MS, deleteUsageHours),
];

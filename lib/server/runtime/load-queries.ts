/** SQL of the calls in progress at versions, and of the replicas that the platform adds for them. */
import { and, gt, lt, type SQL, sql } from "drizzle-orm";
import { callLoads, scalings } from "@/drizzle/schema/runtime";
import type { Scaling } from "@/lib/domain/runtime/scaling";
import { type Db, tryLock } from "../platform/database/connect";

/**
 * How many replicas of a version should run, given its listing `l` and its scaling `s`, if it has one: the publisher's number, more while it is
 * busy, and never more than the operator allows.
 */
export const wantedReplicas = (mostReplicas: number): SQL<number> => sql`
  least(greatest(l.replicas, least(case when l.most_replicas is not null then coalesce(s.replicas, 0) else 0 end, coalesce(l.most_replicas, 0))),
        ${mostReplicas}::int)`;

/** Only versions that the platform may add replicas to. @param calls on average, by instance */
export async function saveLoads(
  db: Db,
  processId: string,
  calls: ReadonlyMap<string, number>,
): Promise<void> {
  await db.execute(sql`
    insert into call_loads (process_id, version_id, calls)
    select ${processId}, i.version_id, sum(c.calls)
      from unnest(${sql.param([...calls.keys()])}::uuid[], ${sql.param([...calls.values()])}::real[]) c (id, calls)
      join instances i on i.id = c.id
      join versions v on v.id = i.version_id
      join listings l on l.id = v.listing_id and l.most_replicas is not null
     group by i.version_id
    on conflict (process_id, version_id) do update set calls = excluded.calls, at = now()`);
}

/** One worker at a time; the others skip it. */
export function lockScalings(tx: Db): Promise<boolean> {
  return tryLock(tx, "scalings");
}

/** Those that run, and that the platform may add replicas to. @param withinMs reports that are older don't count */
export async function selectScalings(db: Db, mostReplicas: number, withinMs: number): Promise<Scaling[]> {
  const { rows } = await db.execute<Scaling & Record<string, unknown>>(sql`
    select v.id as "versionId", least(l.replicas, ${mostReplicas}::int) as least,
           least(l.most_replicas, ${mostReplicas}::int) as most, ${wantedReplicas(mostReplicas)} as wanted,
           (extract(epoch from now() - s.enough_since) * 1000)::float8 as "enoughMs",
           coalesce((select sum(c.calls) from call_loads c
                      where c.version_id = v.id and c.at > now() - ${withinMs} * interval '1 millisecond'), 0)::float8 as calls
      from listings l join versions v on v.listing_id = l.id left join scalings s on s.version_id = v.id
     where l.most_replicas is not null and exists (select from instances i where i.version_id = v.id and i.state = 'READY')`);
  return rows;
}

/** @param enoughMs since when fewer would be enough; null if they wouldn't */
export async function saveScaling(
  db: Db,
  { versionId, replicas, enoughMs }: { versionId: string; replicas: number; enoughMs: number | null },
): Promise<void> {
  const enoughSince = enoughMs === null ? null : sql`now() - ${enoughMs} * interval '1 millisecond'`;
  await db
    .insert(scalings)
    .values({ versionId, replicas, enoughSince })
    .onConflictDoUpdate({ target: scalings.versionId, set: { replicas, enoughSince } });
}

/** Of processes that ended. */
export async function deleteOldLoads(db: Db): Promise<void> {
  await db.delete(callLoads).where(lt(callLoads.at, sql`now() - interval '1 hour'`));
}

/** Of all versions of a listing: calls in progress now. */
export async function countCallsInProgress(db: Db, listingId: string, withinMs: number): Promise<number> {
  const isFresh = gt(callLoads.at, sql`now() - ${withinMs} * interval '1 millisecond'`);
  const isOf = sql`${callLoads.versionId} in (select id from versions where listing_id = ${listingId})`;
  const [row] = await db
    .select({ calls: sql<number>`coalesce(sum(${callLoads.calls}), 0)::float8` })
    .from(callLoads)
    .where(and(isOf, isFresh));
  return row?.calls ?? 0;
}

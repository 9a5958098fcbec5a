import { asc, count, desc, gt, notInArray, or, type SQL, sql } from "drizzle-orm";
import { storedBlobs } from "@/drizzle/schema/images";
import { partBeats } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import type { NodeInstances, PartProcess } from "@/lib/domain/surface/operation";
import type { Db } from "../../platform/database/connect";

const MOST = 200;

/**
 * Processes that reported within a day, and the newest of each part, which many others don't displace; the newest report first. With the
 * time by the same clock.
 */
export async function selectProcesses(
  db: Db,
): Promise<{ now: Date; processes: PartProcess[]; moreProcesses: number }> {
  const isRecent = gt(partBeats.seenAt, sql`now() - interval '1 day'`);
  const isNewest = sql`(part, seen_at) in (select part, max(seen_at) from part_beats group by part)`;
  const rows = await db
    .select({
      ...ofProcess,
      now: sql`now()`.mapWith(partBeats.seenAt),
      total: sql`count(*) over ()`.mapWith(Number),
    })
    .from(partBeats)
    .where(or(isRecent, isNewest))
    .orderBy(sql`${isNewest} desc`, sql`${partBeats.seenAt} desc`)
    .limit(MOST);
  return {
    now: rows[0]?.now ?? new Date(),
    processes: rows
      .map(({ now: _now, total: _total, ...process }) => process)
      .sort((one, other) => other.seenAt.getTime() - one.seenAt.getTime()),
    moreProcesses: (rows[0]?.total ?? 0) - rows.length,
  };
}

const ofProcess = {
  id: partBeats.id,
  part: partBeats.part,
  host: partBeats.host,
  release: partBeats.release,
  startedAt: partBeats.startedAt,
  seenAt: partBeats.seenAt,
  endedAt: partBeats.endedAt,
};

const MOST_NODES = 50;

/** Instances that have not ended, by the machine that they run on. */
export async function countInstances(db: Db): Promise<{ nodes: NodeInstances[]; moreNodes: number }> {
  const { node, runtime, state, failingSince } = instances;
  const countIf = (condition: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number);
  const isReady = sql`${state} = 'READY'`;
  const rows = await db
    .select({
      node,
      runtime,
      starting: countIf(sql`${state} = 'STARTING'`),
      healthy: countIf(sql`${isReady} and ${failingSince} is null`),
      failing: countIf(sql`${isReady} and ${failingSince} is not null`),
      draining: countIf(sql`${state} = 'DRAINING'`),
      total: sql`count(*) over ()`.mapWith(Number),
    })
    .from(instances)
    .where(notInArray(state, ["FAILED", "STOPPED"]))
    .groupBy(node, runtime)
    .orderBy(desc(count()), asc(node), asc(runtime))
    .limit(MOST_NODES);
  return {
    nodes: rows.map(({ total: _total, ...row }) => row),
    moreNodes: (rows[0]?.total ?? 0) - rows.length,
  };
}

/** What the store contains as far as the database knows: each blob once, however many images share it. */
export async function sumStoredBlobs(db: Db): Promise<{ blobs: number; bytes: number }> {
  const bytes = sql`coalesce(sum(${storedBlobs.bytes}), 0)`.mapWith(Number);
  const [row] = await db.select({ blobs: count(), bytes }).from(storedBlobs);
  return row ?? { blobs: 0, bytes: 0 };
}

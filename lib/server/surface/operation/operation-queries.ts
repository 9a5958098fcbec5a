import { and, count, gt, notInArray, or, sql } from "drizzle-orm";
import { storedBlobs } from "@/drizzle/schema/images";
import { partBeats } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import type { PartProcess } from "@/lib/domain/surface/operation";
import type { Db } from "../../platform/database/connect";

const MOST = 200;

/** Processes that reported within a day, and the newest of each part; the newest report first. With the time by the same clock. */
export async function selectProcesses(db: Db): Promise<{ now: Date; processes: PartProcess[] }> {
  const isRecent = gt(partBeats.seenAt, sql`now() - interval '1 day'`);
  const isNewest = sql`(part, seen_at) in (select part, max(seen_at) from part_beats group by part)`;
  const rows = await db
    .select({ ...ofProcess, now: sql`now()`.mapWith(partBeats.seenAt) })
    .from(partBeats)
    .where(or(isRecent, isNewest))
    .orderBy(sql`${partBeats.seenAt} desc`)
    .limit(MOST);
  return {
    now: rows[0]?.now ?? new Date(),
    processes: rows.map(({ now: _now, ...process }) => process),
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

/** Those that have not ended. */
export async function countInstances(db: Db): Promise<{ runtime: string; state: string; count: number }[]> {
  const { runtime, state } = instances;
  return db
    .select({ runtime, state, count: count() })
    .from(instances)
    .where(and(notInArray(state, ["FAILED", "STOPPED"])))
    .groupBy(runtime, state)
    .orderBy(runtime, state);
}

/** What the store contains as far as the database knows: each blob once, however many images share it. */
export async function sumStoredBlobs(db: Db): Promise<{ blobs: number; bytes: number }> {
  const bytes = sql`coalesce(sum(${storedBlobs.bytes}), 0)`.mapWith(Number);
  const [row] = await db.select({ blobs: count(), bytes }).from(storedBlobs);
  return row ?? { blobs: 0, bytes: 0 };
}

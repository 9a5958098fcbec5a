import type { Pool } from "pg";
import { z } from "zod";
import { and, arrayContains, eq, gt, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import journal from "@/drizzle/migrations/meta/_journal.json" with { type: "json" };
import { partBeats } from "@/drizzle/schema/platform";
import { BEATING_PARTS, type ReportingPart } from "@/lib/contract/platform/availability";
import type { Db } from "./connect";

/** What the migrator stores for the newest migration that this code knows. */
const NEWEST_MIGRATION = Math.max(...journal.entries.map(({ when }) => when));

const found = z.object({
  /** False if this code is newer than the schema. A newer schema works with this code: see CONTRIBUTING.md. */
  is_current: z.boolean(),
  /** Since the server started. */
  up_ms: z.number(),
  beats: z.array(z.object({ part: z.enum(BEATING_PARTS), agoMs: z.number() })),
});

/** One statement says whether the database answers, whether its schema is at least this code's, and which parts reported. */
export async function selectAvailability(pool: Pool): Promise<z.infer<typeof found>> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select coalesce(max(created_at) >= $1, false) as is_current,
            (extract(epoch from clock_timestamp() - pg_postmaster_start_time()) * 1000)::float8 as up_ms,
            (select coalesce(json_agg(newest), '[]')
               from (select part, (extract(epoch from clock_timestamp() - max(seen_at)) * 1000)::float8 as "agoMs"
                       from part_beats where part = any($2) group by part order by part) as newest) as beats
       from drizzle.__drizzle_migrations`,
    [NEWEST_MIGRATION, BEATING_PARTS],
  );
  return found.parse(rows[0]);
}

/** The schema, seen from this code. */
export async function compareSchema(db: Db): Promise<"same" | "older" | "newer"> {
  const { rows } = await db.execute<{ newest: string }>(
    sql`select coalesce(max(created_at), 0)::text as newest from drizzle.__drizzle_migrations`,
  );
  const newest = Number(rows[0]?.newest ?? 0);
  return newest === NEWEST_MIGRATION ? "same" : newest < NEWEST_MIGRATION ? "older" : "newer";
}

export interface PartProcess {
  id: string;
  part: ReportingPart;
  host: string;
  release: string;
  masterKeys: string[];
}

/** Processes of a part that work: they reported lately, and didn't end on purpose. */
export function isWorking(withinMs: number, part?: ReportingPart): SQL | undefined {
  return and(
    part === undefined ? undefined : eq(partBeats.part, part),
    gt(partBeats.seenAt, sql`now() - ${withinMs} * interval '1 millisecond'`),
    isNull(partBeats.endedAt),
  );
}

/** The process works. Returns how many of its part reported lately, with it. */
export async function saveBeat(db: Db, process: PartProcess, withinMs: number): Promise<number> {
  await db
    .insert(partBeats)
    .values(process)
    .onConflictDoUpdate({ target: partBeats.id, set: { seenAt: sql`now()` } });
  const working = await db.$count(partBeats, isWorking(withinMs, process.part));
  return Math.max(1, working);
}

/** Working processes that don't have a master key. Those of an earlier release don't say, and are not listed. */
export function selectPartsWithoutKey(
  db: Db,
  masterKey: string,
  withinMs: number,
): Promise<{ part: ReportingPart; host: string | null }[]> {
  const hasKey = arrayContains(partBeats.masterKeys, [masterKey]);
  return db
    .selectDistinct({ part: partBeats.part, host: partBeats.host })
    .from(partBeats)
    .where(and(isWorking(withinMs), not(hasKey)))
    .orderBy(partBeats.part, partBeats.host);
}

/** The process ends on purpose. */
export async function endBeat(db: Db, id: string): Promise<void> {
  await db
    .update(partBeats)
    .set({ endedAt: sql`now()` })
    .where(eq(partBeats.id, id));
}

/** Of processes that ended. The newest row of each part says since when the part is away, so it stays. */
export async function deleteOldBeats(db: Db): Promise<void> {
  const isOld = lt(partBeats.seenAt, sql`now() - interval '1 day'`);
  const isNewest = sql`(part, seen_at) in (select part, max(seen_at) from part_beats group by part)`;
  await db.delete(partBeats).where(sql`${isOld} and not ${isNewest}`);
}

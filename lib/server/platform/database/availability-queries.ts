import type { Pool } from "pg";
import { z } from "zod";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import journal from "@/drizzle/migrations/meta/_journal.json" with { type: "json" };
import { partBeats } from "@/drizzle/schema/platform";
import { BEATING_PARTS, type BeatingPart } from "@/lib/contract/platform/availability";
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

/** The process `id` of a part works. Returns how many of the part reported lately, with it. */
export async function saveBeat(db: Db, id: string, part: BeatingPart, withinMs: number): Promise<number> {
  await db
    .insert(partBeats)
    .values({ id, part })
    .onConflictDoUpdate({ target: partBeats.id, set: { seenAt: sql`now()` } });
  const isThere = gt(partBeats.seenAt, sql`now() - ${withinMs} * interval '1 millisecond'`);
  const working = await db.$count(partBeats, and(eq(partBeats.part, part), isThere));
  return Math.max(1, working);
}

/** Of processes that ended. The newest row of each part says since when the part is away, so it stays. */
export async function deleteOldBeats(db: Db): Promise<void> {
  const isOld = lt(partBeats.seenAt, sql`now() - interval '1 day'`);
  const isNewest = sql`(part, seen_at) in (select part, max(seen_at) from part_beats group by part)`;
  await db.delete(partBeats).where(sql`${isOld} and not ${isNewest}`);
}

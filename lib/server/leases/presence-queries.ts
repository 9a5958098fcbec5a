import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { workers } from "@/drizzle/schema/workers";
import type { Db } from "../database/connect";

/** The first key of the advisory locks of workers; the second is the worker's id. */
const WORKERS = 7_201;

/** A new id, or the old one unless others declared it dead. */
export async function registerWorker(db: Db, oldId: number | null): Promise<number> {
  const kept =
    oldId === null
      ? []
      : await db
          .update(workers)
          .set({ missingSince: null })
          .where(eq(workers.id, oldId))
          .returning({ id: workers.id });
  const [row] = kept.length > 0 ? kept : await db.insert(workers).values({}).returning({ id: workers.id });
  if (row === undefined) throw new Error("inserting a worker returned no row");
  return row.id;
}

/** Locks the id until the connection of `db` ends. False while another connection has the lock. */
export async function lockWorker(db: Db, id: number): Promise<boolean> {
  const { rows } = await db.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_lock(${WORKERS}, ${id}) as locked`,
  );
  return rows[0]?.locked === true;
}

/** Workers whose lock is free, locked until the transaction ends. `dead`: it has been free for `graceSeconds`. */
export async function lockMissingWorkers(
  tx: Db,
  ownId: number | null,
  graceSeconds: number,
): Promise<{ id: number; dead: boolean }[]> {
  const missing = await tx
    .select({
      id: workers.id,
      dead: sql<boolean>`coalesce(${workers.missingSince} < now() - make_interval(secs => ${graceSeconds}), false)`,
    })
    .from(workers)
    .where(
      and(
        ownId === null ? undefined : ne(workers.id, ownId),
        sql`pg_try_advisory_xact_lock(${WORKERS}, ${workers.id})`,
      ),
    );
  const ids = missing.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .update(workers)
      .set({ missingSince: sql`now()` })
      .where(and(inArray(workers.id, ids), isNull(workers.missingSince)));
  return missing;
}

export async function deleteWorkers(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.delete(workers).where(inArray(workers.id, [...ids]));
}

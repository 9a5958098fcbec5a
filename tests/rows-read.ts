import { sql } from "drizzle-orm";
import type { Db } from "@/lib/server/platform/database/connect";
import type { Platform } from "@/lib/server/platform/platform";

/** How many rows of a table PostgreSQL reads for this work, whether or not they are part of its result. */
export function countRowsRead(
  { db }: Platform,
  table: string,
  work: (tx: Db) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    // With those of earlier transactions that this connection has not reported yet.
    const count = async () => {
      const { rows } = await tx.execute<{ read: string }>(
        sql`select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
              from pg_stat_xact_user_tables where relname = ${table}`,
      );
      return Number(rows[0]?.read);
    };
    const before = await count();
    await work(tx);
    return (await count()) - before;
  });
}

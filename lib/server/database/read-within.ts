import { sql } from "drizzle-orm";
import { Problem } from "@/lib/contract/problem";
import { type Db, sqlStateOf } from "./connect";

const QUERY_CANCELED = "57014";

/**
 * Reads in a transaction whose statements may each take this many milliseconds.
 * @throws UNAVAILABLE if one took longer
 */
export async function readWithin<Result>(
  db: Db,
  ms: number,
  read: (tx: Db) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${String(ms)}, true)`);
      return read(tx);
    });
  } catch (error) {
    if (sqlStateOf(error) !== QUERY_CANCELED) throw error;
    throw new Problem(
      "UNAVAILABLE",
      `The search took longer than ${ms / 1_000} seconds and was stopped. Choose a shorter time range, or try again.`,
    );
  }
}

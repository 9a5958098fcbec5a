import { sql } from "drizzle-orm";
import type { Db } from "./connect";

/** The channel on which workers listen. */
export const WORK_CHANNEL = "platform_work";

/** Wakes the workers when the transaction commits. A lost wake-up costs one poll, never the work. */
export async function notifyWorker(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_notify(${WORK_CHANNEL}, '')`);
}

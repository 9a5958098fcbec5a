import { asc, isNull } from "drizzle-orm";
import { restorations } from "@/drizzle/schema/platform";
import type { Db } from "./database/connect";

/** Two platforms with the same rows would send the same webhooks and mails. */
export const ON_HOLD =
  "The platform was restored from a backup and is on hold: it starts no apps and sends no webhooks and no mail. " +
  "When the original no longer runs, run: npm run restore -- --release";

/** Restored from a backup, and not released yet. */
export async function isOnHold(db: Db): Promise<boolean> {
  return (await selectHold(db)) !== undefined;
}

/** The restoration since which the platform is on hold; undefined if it isn't. */
export async function selectHold(db: Db): Promise<{ backedUpAt: Date; restoredAt: Date } | undefined> {
  const { backedUpAt, restoredAt } = restorations;
  const [row] = await db
    .select({ backedUpAt, restoredAt })
    .from(restorations)
    .where(isNull(restorations.releasedAt))
    .orderBy(asc(restoredAt))
    .limit(1);
  return row;
}

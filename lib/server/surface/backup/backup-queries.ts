/** What a backup leaves out, and what has to change in restored rows before anything acts on them. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { sessions } from "@/drizzle/schema/accounts";
import { backups, restorations } from "@/drizzle/schema/platform";
import { instanceLogs, instances, isolationChecks } from "@/drizzle/schema/runtime";
import type { Db } from "../../platform/database/connect";

const NONE = "false";
const IS_NAMED = "exists (select from image_blobs i where i.digest =";

/** Conditions on the rows that a backup contains. Every table that is not listed is there completely. */
export const ROWS_TO_KEEP: Readonly<Record<string, string>> = {
  // Valid for minutes: links in mails, sign-ups that wait for a click, counters of tries.
  account_links: NONE,
  pending_sign_ups: NONE,
  rate_limits: NONE,
  // Processes of the original, and by which name it knows its Pods: a copy has its own.
  part_beats: NONE,
  runtime_owner: NONE,
  // Of the original: a copy has none of itself.
  backups: NONE,
  // Their bytes are in no store yet, so publishers send them again.
  blob_uploads: NONE,
  upload_pieces: NONE,
  stored_blobs: `${IS_NAMED} stored_blobs.digest)`,
  organization_blobs: `${IS_NAMED} organization_blobs.digest)`,
};

/** What ran before the backup is another platform's, even if it runs on this machine: nothing here may call or stop it. */
export async function endRestoredInstances(tx: Db): Promise<void> {
  await tx
    .update(instances)
    .set({
      state: "STOPPED",
      reasonCode: "WORKER_ENDED",
      reason: "The platform was restored from a backup.",
      endedAt: sql`now()`,
    })
    .where(inArray(instances.state, ["STARTING", "READY", "DRAINING"]));
  await tx.update(instances).set({ handle: null, origin: null }).where(isNotNull(instances.handle));
  await tx
    .update(instanceLogs)
    .set({ closedAt: sql`now()` })
    .where(isNull(instanceLogs.closedAt));
  await tx.update(isolationChecks).set({ requestedAt: sql`now()` });
}

/** Somebody may have signed out, or may have been signed out, after the backup. */
export async function revokeRestoredSessions(tx: Db): Promise<void> {
  await tx
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`)));
}

export async function insertRestoration(
  tx: Db,
  restoration: Pick<typeof restorations.$inferInsert, "backupId" | "backedUpAt">,
): Promise<void> {
  await tx.insert(restorations).values(restoration);
}

export async function insertBackup(tx: Db, backup: typeof backups.$inferInsert): Promise<void> {
  await tx.insert(backups).values(backup);
}

/** False if this database is not the one that was backed up, or a copy of it. */
export async function markChecked(tx: Db, id: string): Promise<boolean> {
  const rows = await tx
    .update(backups)
    .set({ checkedAt: sql`now()` })
    .where(eq(backups.id, id))
    .returning({ id: backups.id });
  return rows.length === 1;
}

/** The newest; undefined if none is recorded. */
export async function selectBackup(db: Db): Promise<typeof backups.$inferSelect | undefined> {
  const [row] = await db.select().from(backups).orderBy(desc(backups.takenAt)).limit(1);
  return row;
}

/** Returns the backups whose restorations were on hold. */
export async function releaseRestorations(tx: Db): Promise<string[]> {
  const released = await tx
    .update(restorations)
    .set({ releasedAt: sql`now()` })
    .where(isNull(restorations.releasedAt))
    .returning({ backupId: restorations.backupId });
  return released.map(({ backupId }) => backupId);
}

/** Installations that have a webhook secret, one of each of up to `limit` organizations. */
export async function selectSecretHolders(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct on (i.organization_id) i.id from installations i
      join webhook_secrets w on w.installation_id = i.id and w.expires_at is null
     order by i.organization_id, i.id desc limit ${limit}`);
  return rows.map(({ id }) => id);
}

import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { attempts, attemptStateReads } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import type { Db } from "../database/connect";

/** How often an attempt read its state; it is joined as `attempt_state_reads`. */
const stateReads = sql<number>`coalesce(${attemptStateReads.count}, 0)`.mapWith(Number);

/** A delivery is tried ten times, and again each time that somebody replays it. */
const MOST_ATTEMPTS = 50;

/** The newest attempts of a delivery: ids are UUIDv7, so they sort by time. */
export async function selectAttempts(db: Db, deliveryId: string) {
  return db
    .select({
      id: attempts.id,
      routeId: attempts.routeId,
      deliveryId: attempts.deliveryId,
      kind: attempts.kind,
      target: attempts.target,
      startedAt: attempts.startedAt,
      durationMs: attempts.durationMs,
      status: attempts.status,
      failure: attempts.failure,
      stateReads,
      test: attempts.test,
      dueAt: attempts.dueAt,
      heldBy: attempts.heldBy,
    })
    .from(attempts)
    .leftJoin(attemptStateReads, eq(attemptStateReads.attemptId, attempts.id))
    .where(eq(attempts.deliveryId, deliveryId))
    .orderBy(desc(attempts.id))
    .limit(MOST_ATTEMPTS);
}

export async function selectAttempt(db: Db, organizationId: string, attemptId: string) {
  const [found] = await db
    .select({
      ...getTableColumns(attempts),
      stateReads,
      stateReadAt: attemptStateReads.firstReadAt,
      stateLastReadAt: attemptStateReads.lastReadAt,
      stateRevision: attemptStateReads.revision,
    })
    .from(attempts)
    .innerJoin(installations, eq(installations.id, attempts.installationId))
    .leftJoin(attemptStateReads, eq(attemptStateReads.attemptId, attempts.id))
    .where(and(eq(attempts.id, attemptId), eq(installations.organizationId, organizationId)));
  return found;
}

export async function installationExists(
  db: Db,
  organizationId: string,
  installationId: string,
): Promise<boolean> {
  const found = await db
    .select({ id: installations.id })
    .from(installations)
    .where(and(eq(installations.id, installationId), eq(installations.organizationId, organizationId)));
  return found.length === 1;
}

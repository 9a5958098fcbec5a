import { and, desc, eq, getTableColumns, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { attempts, attemptStateReads, deliveries } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import type { AttemptFilter, AttemptResult } from "@/lib/contract/installation";
import type { Db } from "../database/connect";

const HAS_RESULT: Record<AttemptResult, SQL | undefined> = {
  succeeded: and(isNotNull(attempts.durationMs), isNull(attempts.failure)),
  failed: isNotNull(attempts.failure),
  open: isNull(attempts.durationMs),
};

/** How often an attempt read its state; it is joined as `attempt_state_reads`. */
const stateReads = sql<number>`coalesce(${attemptStateReads.count}, 0)`.mapWith(Number);

interface AttemptSelection extends AttemptFilter {
  /** The last id of the page before. */
  before?: string;
  /** Only the attempts of this delivery. */
  deliveryId?: string;
  limit: number;
}

/** Newest first: ids are UUIDv7, so they sort by time. */
export async function selectAttempts(
  db: Db,
  organizationId: string,
  installationId: string,
  { before, deliveryId, kind, result, limit }: AttemptSelection,
) {
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
    .innerJoin(installations, eq(installations.id, attempts.installationId))
    .leftJoin(attemptStateReads, eq(attemptStateReads.attemptId, attempts.id))
    .where(
      and(
        eq(attempts.installationId, installationId),
        eq(installations.organizationId, organizationId),
        before === undefined ? undefined : lt(attempts.id, before),
        deliveryId === undefined ? undefined : eq(attempts.deliveryId, deliveryId),
        kind === undefined ? undefined : eq(attempts.kind, kind),
        result === undefined ? undefined : HAS_RESULT[result],
      ),
    )
    .orderBy(desc(attempts.id))
    .limit(limit);
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

/** The deliveries of an installation that are not settled, apart from those that are being sent now. */
export async function selectPendingDeliveries(db: Db, installationId: string) {
  const due = sql`${deliveries.nextAttemptAt} <= now()`;
  const [found] = await db
    .select({
      waiting: sql<number>`count(*) filter (where ${due})`.mapWith(Number),
      waitingSince: sql`min(${deliveries.nextAttemptAt}) filter (where ${due})`.mapWith(
        deliveries.nextAttemptAt,
      ),
      retrying: sql<number>`count(*) filter (where not ${due})`.mapWith(Number),
      nextRetryAt: sql`min(${deliveries.nextAttemptAt}) filter (where not ${due})`.mapWith(
        deliveries.nextAttemptAt,
      ),
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.installationId, installationId),
        eq(deliveries.state, "PENDING"),
        sql`(${deliveries.leasedUntil} is null or ${deliveries.leasedUntil} < now())`,
      ),
    );
  if (found === undefined) throw new Error("count returned no row");
  return found;
}

export async function selectDelivery(db: Db, installationId: string, deliveryId: string) {
  const [found] = await db
    .select({
      state: deliveries.state,
      attemptCount: deliveries.attemptCount,
      nextAttemptAt: deliveries.nextAttemptAt,
    })
    .from(deliveries)
    .where(and(eq(deliveries.id, deliveryId), eq(deliveries.installationId, installationId)));
  return found;
}

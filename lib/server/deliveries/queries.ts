import { and, eq, inArray, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { attempts, deliveries } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import type { Db } from "../database/connect";

/**
 * Whether the installation is still on the version that answered. Locked until the transaction ends, so that no upgrade
 * switches meanwhile.
 */
export async function lockVersion(
  tx: Db,
  { installationId, versionId }: { installationId: string; versionId: string },
): Promise<boolean> {
  const locked = await tx
    .select({ id: installations.id })
    .from(installations)
    .where(and(eq(installations.id, installationId), eq(installations.versionId, versionId)))
    .for("share");
  return locked.length === 1;
}

/** Ends a route whose app answered 410. True if this call ended it. */
export async function endRoute(tx: Db, routeId: string): Promise<boolean> {
  const ended = await tx
    .update(routes)
    .set({ endedAt: new Date() })
    .where(and(eq(routes.id, routeId), isNull(routes.endedAt)))
    .returning({ id: routes.id });
  return ended.length === 1;
}

/** Ends the pending deliveries of a route. */
export function endDeliveriesOfRoute(tx: Db, routeId: string): Promise<void> {
  return endPending(tx, eq(deliveries.routeId, routeId));
}

/** Ends the pending deliveries of routes that the installation's version does not declare anymore. */
export function endDeliveriesOfRemovedRoutes(tx: Db, installationId: string): Promise<void> {
  const removed = tx
    .select({ id: routes.id })
    .from(routes)
    .where(and(eq(routes.installationId, installationId), isNotNull(routes.removedAt)));
  return endPending(
    tx,
    and(eq(deliveries.installationId, installationId), inArray(deliveries.routeId, removed)),
  );
}

/** Ends the pending deliveries of an uninstalled app. */
export function endDeliveries(tx: Db, installationId: string): Promise<void> {
  return endPending(tx, eq(deliveries.installationId, installationId));
}

/** Locks them in the order of their ids, as settling does: two transactions never wait for each other. */
async function endPending(tx: Db, which: SQL | undefined): Promise<void> {
  const pending = tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(which, eq(deliveries.state, "PENDING")))
    .orderBy(deliveries.id)
    .for("update");
  await tx
    .update(deliveries)
    .set({ state: "ENDED", settledAt: sql`now()`, leasedUntil: null })
    .where(and(inArray(deliveries.id, pending), eq(deliveries.state, "PENDING")));
}

/** Removes attempts that were never begun. */
export async function deleteAttempts(db: Db, ids: readonly string[]): Promise<void> {
  await db.delete(attempts).where(and(inArray(attempts.id, [...ids]), isNull(attempts.durationMs)));
}

import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { installations } from "@/drizzle/schema/installations";
import { routes } from "@/drizzle/schema/routes";
import type { Db } from "../database/connect";
import { recordInterrupted } from "./interrupted-queries";

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

/** Ends a route whose app returned 410. True if this call ended it. */
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
  return endPending(tx, sql`route_id = ${routeId}`);
}

/** Ends the pending deliveries of routes that the installation's version does not declare anymore. */
export function endDeliveriesOfRemovedRoutes(tx: Db, installationId: string): Promise<void> {
  const removed = sql`select id from routes where installation_id = ${installationId} and removed_at is not null`;
  return endPending(tx, sql`installation_id = ${installationId} and route_id in (${removed})`);
}

/** Ends the pending deliveries of an uninstalled app. */
export function endDeliveries(tx: Db, installationId: string): Promise<void> {
  return endPending(tx, sql`installation_id = ${installationId}`);
}

/**
 * Locks them in the order of their ids, as settling does: two transactions never wait for each other. Those that a worker is
 * sending have an attempt, which is recorded even if that worker dies.
 */
async function endPending(tx: Db, which: SQL): Promise<void> {
  await tx.execute(sql`
    with pending as materialized (
      select id, leased_until, leased_by from deliveries where ${which} and state = 'PENDING' order by id for update),
    recorded as (${recordInterrupted(sql`
      select id as delivery_id, leased_by as attempt_id from pending where leased_until is not null`)})
    update deliveries d set state = 'ENDED', settled_at = now(), leased_until = null
      from pending p where d.id = p.id`);
}

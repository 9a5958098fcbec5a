import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { deliveries, events } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import type { NextStep } from "@/lib/domain/backoff";
import { readyOrigin, readySince } from "../calls/queries";
import type { Db } from "../database/connect";
import { leaseFor } from "../leases/queries";

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  installationId: string;
  routeId: string;
  /** The installation's configuration revision now. */
  revision: number;
  /** The installation's key epoch now. */
  epoch: number;
  /** The version that runs at `origin` and answers this attempt. */
  versionId: string;
  path: string;
  /** Attempts before this one. */
  attemptCount: number;
  /** The lease proves the claim: only its holder may settle the delivery. */
  leasedUntil: Date;
  origin: string | null;
  /** The event's JSON, as the core sent it. */
  body: string;
  eventType: string;
  /** Sent from the console by a person. */
  test: boolean;
  /** How long it waited since it was due. */
  queueMs: number;
  dueAt: Date;
  runningSince: Date | null;
  /** When the instance at `origin` became ready. */
  readyAt: Date | null;
}

/**
 * Claims up to `limit` due deliveries. `skip locked`: concurrent workers claim different ones. A delivery waits, without
 * using up an attempt, while its installation is not running or no instance of its app is ready.
 */
export async function claimDeliveries(
  db: Db,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const due = sql`(
    select d.id from deliveries d
      join installations i on i.id = d.installation_id and i.state = 'RUNNING'
      join instances n on n.version_id = i.version_id and n.state = 'READY'
      join routes r on r.id = d.route_id and r.removed_at is null
     where d.state = 'PENDING' and d.next_attempt_at <= now() and (d.leased_until is null or d.leased_until < now())
     order by d.next_attempt_at
     limit ${limit}
     for update of d skip locked)`;
  return db
    .update(deliveries)
    .set({ leasedUntil: leaseFor(leaseSeconds) })
    .from(events)
    .innerJoin(routes, sql`true`)
    .innerJoin(installations, sql`true`)
    .where(
      and(
        sql`${deliveries.id} in ${due}`,
        eq(events.id, deliveries.eventId),
        eq(routes.id, deliveries.routeId),
        eq(installations.id, deliveries.installationId),
      ),
    )
    .returning({
      id: deliveries.id,
      eventId: deliveries.eventId,
      installationId: deliveries.installationId,
      routeId: deliveries.routeId,
      revision: installations.revision,
      epoch: installations.keyEpoch,
      versionId: installations.versionId,
      path: routes.path,
      attemptCount: deliveries.attemptCount,
      leasedUntil: sql<Date>`${deliveries.leasedUntil}`.mapWith(deliveries.leasedUntil),
      origin: readyOrigin,
      body: events.body,
      eventType: events.type,
      test: events.test,
      queueMs: sql<number>`(extract(epoch from now() - ${deliveries.nextAttemptAt}) * 1000)::int`,
      dueAt: deliveries.nextAttemptAt,
      runningSince: installations.runningSince,
      readyAt: readySince,
    });
}

/** False if the lease expired and another worker claimed the delivery. */
export async function settleDelivery(
  tx: Db,
  claimed: ClaimedDelivery,
  step: NextStep,
  reason: string | null,
): Promise<boolean> {
  const pending = step.state === "PENDING";
  const settled = await tx
    .update(deliveries)
    .set({
      state: step.state,
      attemptCount: claimed.attemptCount + 1,
      leasedUntil: null,
      reason,
      ...(pending ? { nextAttemptAt: new Date(Date.now() + step.waitMs) } : { settledAt: new Date() }),
    })
    .where(
      and(
        eq(deliveries.id, claimed.id),
        eq(deliveries.state, "PENDING"),
        eq(deliveries.leasedUntil, claimed.leasedUntil),
      ),
    )
    .returning({ id: deliveries.id });
  return settled.length === 1;
}

/**
 * Whether the installation is still on the version that answered. Locked until the transaction ends, so that no upgrade
 * switches meanwhile.
 */
export async function lockVersion(tx: Db, { installationId, versionId }: ClaimedDelivery): Promise<boolean> {
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
export async function endDeliveriesOfRoute(tx: Db, routeId: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: "ENDED", settledAt: new Date() })
    .where(and(eq(deliveries.routeId, routeId), eq(deliveries.state, "PENDING")));
}

/** Ends the pending deliveries of routes that the installation's version does not declare anymore. */
export async function endDeliveriesOfRemovedRoutes(tx: Db, installationId: string): Promise<void> {
  const removed = tx
    .select({ id: routes.id })
    .from(routes)
    .where(and(eq(routes.installationId, installationId), isNotNull(routes.removedAt)));
  await tx
    .update(deliveries)
    .set({ state: "ENDED", settledAt: new Date() })
    .where(
      and(
        eq(deliveries.installationId, installationId),
        eq(deliveries.state, "PENDING"),
        inArray(deliveries.routeId, removed),
      ),
    );
}

/** Ends the pending deliveries of an uninstalled app. */
export async function endDeliveries(tx: Db, installationId: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: "ENDED", settledAt: new Date() })
    .where(and(eq(deliveries.installationId, installationId), eq(deliveries.state, "PENDING")));
}

export async function selectOrganizationId(db: Db, installationId: string): Promise<string> {
  const [found] = await db
    .select({ organizationId: installations.organizationId })
    .from(installations)
    .where(eq(installations.id, installationId));
  if (found === undefined) throw new Error(`installation ${installationId} does not exist`);
  return found.organizationId;
}

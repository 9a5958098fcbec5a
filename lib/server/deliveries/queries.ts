import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { deliveries, events } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import type { NextStep } from "@/lib/domain/backoff";
import { readyOrigin } from "../calls/queries";
import type { Db } from "../database/connect";

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  installationId: string;
  routeId: string;
  /** Of the installation's configuration now. */
  revision: number;
  /** Of the installation's state keys now. */
  epoch: number;
  /** The version that `origin` runs: the one whose answer this try gets. */
  versionId: string;
  path: string;
  /** Tries before this one. */
  attemptCount: number;
  /** The lease is also the proof of the claim: only who still holds it may settle. */
  leasedUntil: Date;
  origin: string | null;
  body: unknown;
}

/**
 * Takes up to `limit` due deliveries for `leaseSeconds`. `skip locked`: workers that claim at once take different ones.
 * A delivery waits, and no try is spent, while its installation does not run or no instance of its app is ready.
 * The lease is cut to milliseconds, which is what a JavaScript date holds, so that it can be compared when it settles.
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
    .set({ leasedUntil: sql`date_trunc('milliseconds', now()) + make_interval(secs => ${leaseSeconds})` })
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
    });
}

/** True when the claim still held; false when the lease had run out and another worker took the delivery over. */
export async function settleDelivery(tx: Db, claimed: ClaimedDelivery, step: NextStep): Promise<boolean> {
  const pending = step.state === "PENDING";
  const settled = await tx
    .update(deliveries)
    .set({
      state: step.state,
      attemptCount: claimed.attemptCount + 1,
      leasedUntil: null,
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
 * Is the installation still on the version that answered? Held until the transaction ends, so that no upgrade switches
 * between this look and what follows from it.
 */
export async function holdVersion(tx: Db, { installationId, versionId }: ClaimedDelivery): Promise<boolean> {
  const held = await tx
    .select({ id: installations.id })
    .from(installations)
    .where(and(eq(installations.id, installationId), eq(installations.versionId, versionId)))
    .for("share");
  return held.length === 1;
}

/** The app answered 410: no more events on this route. True when this call ended it. */
export async function endRoute(tx: Db, routeId: string): Promise<boolean> {
  const ended = await tx
    .update(routes)
    .set({ endedAt: new Date() })
    .where(and(eq(routes.id, routeId), isNull(routes.endedAt)))
    .returning({ id: routes.id });
  return ended.length === 1;
}

/** What still waits for a route that ended. */
export async function endDeliveriesOfRoute(tx: Db, routeId: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: "ENDED", settledAt: new Date() })
    .where(and(eq(deliveries.routeId, routeId), eq(deliveries.state, "PENDING")));
}

/** What waits for routes that the installation's version does not declare any more. */
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

/** What waits for an installation that is gone for good. */
export async function endDeliveriesOf(tx: Db, installationId: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ state: "ENDED", settledAt: new Date() })
    .where(and(eq(deliveries.installationId, installationId), eq(deliveries.state, "PENDING")));
}

export async function selectOrganizationOf(db: Db, installationId: string): Promise<string> {
  const [found] = await db
    .select({ organizationId: installations.organizationId })
    .from(installations)
    .where(eq(installations.id, installationId));
  if (found === undefined) throw new Error(`installation ${installationId} is gone`);
  return found.organizationId;
}

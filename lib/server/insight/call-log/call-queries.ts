import { and, asc, desc, eq, getTableColumns, isNotNull, not, sql } from "drizzle-orm";
import { attempts, attemptStateReads, deliveries, events, routes } from "@/drizzle/schema/calls";
import { listings } from "@/drizzle/schema/catalog";
import { logExcerpts } from "@/drizzle/schema/insight";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { instances } from "@/drizzle/schema/runtime";
import type { Db } from "../../platform/database/connect";
import { isTrial } from "./scope-queries";

/** What a call's page shows about its installation. `revision`: the one whose settings are named. */
export async function selectContext(db: Db, installationId: string, revision: number | null) {
  const instanceState = db
    .select({ state: instances.state })
    .from(instances)
    .where(eq(instances.versionId, installations.versionId))
    .orderBy(desc(instances.id))
    .limit(1);
  const settings = sql<string[]>`array(
    select s.key from ${configurations} c cross join lateral jsonb_each(c.settings) s
     where c.installation_id = ${installations.id} and c.revision = coalesce(${revision}::int, ${installations.revision})
     order by s.key)`;
  const [found] = await db
    .select({
      id: installations.id,
      state: installations.state,
      test: installations.test,
      trial: isTrial,
      revision: installations.revision,
      title: listings.title,
      listingId: listings.id,
      publisherId: listings.organizationId,
      tenantName: tenants.name,
      instanceState: sql<string | null>`(${instanceState})`,
      settings,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(eq(installations.id, installationId));
  return found;
}

export async function selectDelivery(db: Db, organizationId: string, deliveryId: string) {
  const [found] = await db
    .select({
      id: deliveries.id,
      state: deliveries.state,
      attemptCount: deliveries.attemptCount,
      nextAttemptAt: deliveries.nextAttemptAt,
      createdAt: deliveries.createdAt,
      event: {
        id: events.id,
        coreId: events.eventId,
        type: events.type,
        receivedAt: events.receivedAt,
        test: events.test,
      },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .where(and(eq(deliveries.id, deliveryId), eq(installations.organizationId, organizationId)));
  return found;
}

/** More receivers than anybody reads. */
const MOST_DELIVERIES = 100;

/** Of rows that a limit cuts. */
const inAll = sql`count(*) over ()`.mapWith(Number);

/** The first deliveries of an event to apps of the organization, each with how many there are. */
export async function selectDeliveriesOfEvent(db: Db, organizationId: string, eventId: string) {
  const newest = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.deliveryId, deliveries.id))
    .orderBy(desc(attempts.id))
    .limit(1);
  return db
    .select({
      id: deliveries.id,
      state: deliveries.state,
      installationId: deliveries.installationId,
      title: listings.title,
      path: routes.path,
      test: installations.test,
      trial: isTrial,
      attemptId: sql<string | null>`(${newest})`,
      total: inAll,
    })
    .from(deliveries)
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(routes, eq(routes.id, deliveries.routeId))
    .where(and(eq(deliveries.eventId, eventId), eq(installations.organizationId, organizationId)))
    .orderBy(asc(installations.id), asc(routes.path))
    .limit(MOST_DELIVERIES);
}

/** The log of an attempt's moment as far as it was read, and the end of the log of its instance if that ended. */
export async function selectLogExcerpt(db: Db, attemptId: string) {
  const [found] = await db
    .select({
      state: logExcerpts.state,
      text: logExcerpts.text,
      cut: logExcerpts.cut,
      endedAt: instances.endedAt,
      tail: instances.logTail,
    })
    .from(logExcerpts)
    .leftJoin(instances, eq(instances.id, logExcerpts.instanceId))
    .where(eq(logExcerpts.attemptId, attemptId));
  return found;
}

/** The newest test calls with a payload, one for each delivery: retries send the same again. */
export async function selectSentCalls(db: Db, installationId: string, limit: number) {
  const retried = sql`exists (select from ${attempts} earlier
    where earlier.delivery_id = ${attempts.deliveryId} and earlier.id < ${attempts.id})`;
  return db
    .select({
      id: attempts.id,
      routeId: attempts.routeId,
      kind: attempts.kind,
      eventType: attempts.eventType,
      startedAt: attempts.startedAt,
      durationMs: attempts.durationMs,
      status: attempts.status,
      failure: attempts.failure,
    })
    .from(attempts)
    .where(
      and(
        eq(attempts.installationId, installationId),
        // As the index says it. With a parameter, PostgreSQL would read all calls.
        sql`${attempts.test}`,
        isNotNull(attempts.payload),
        not(retried),
      ),
    )
    .orderBy(desc(attempts.id))
    .limit(limit);
}

/** How often an attempt read its state; it is joined as `attempt_state_reads`. */
const stateReads = sql<number>`coalesce(${attemptStateReads.count}, 0)`.mapWith(Number);

/** A delivery is tried ten times, and again each time that somebody replays it. */
const MOST_ATTEMPTS = 50;

/** The newest attempts of a delivery, each with how many there are: ids are UUIDv7, so they sort by time. */
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
      total: inAll,
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

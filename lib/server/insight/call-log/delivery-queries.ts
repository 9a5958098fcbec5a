import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { attempts, deliveries, events, routes } from "@/drizzle/schema/calls";
import { listings } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import type { Db } from "../../platform/database/connect";
import { isTrial } from "./scope-queries";
import { contains } from "../../platform/database/expressions";
import { type CallScope, type CallSelection, isAmong, startsWith, withinRange } from "./list-queries";

/** The newest attempt of each delivery. */
const newest = (db: Db) =>
  db
    .select({
      id: attempts.id,
      durationMs: attempts.durationMs,
      status: attempts.status,
      failure: attempts.failure,
    })
    .from(attempts)
    .where(eq(attempts.deliveryId, deliveries.id))
    .orderBy(desc(attempts.id))
    .limit(1)
    .as("newest");

type Newest = ReturnType<typeof newest>;

const STATES = { dead: "DEAD", waiting: "PENDING" } as const;

function shown(
  scope: CallScope,
  filter: CallFilter,
  last: Newest,
  { before, ids }: Omit<CallSelection, "limit">,
) {
  const { state, kind, event, slower, source, q } = filter;
  return and(
    state === "dead" || state === "waiting" ? eq(deliveries.state, STATES[state]) : undefined,
    ids === undefined ? undefined : inArray(deliveries.id, [...ids]),
    eq(installations.organizationId, scope.organizationId),
    scope.installationId === undefined ? undefined : eq(deliveries.installationId, scope.installationId),
    before === undefined ? undefined : lt(deliveries.id, before),
    withinRange(deliveries.id, scope.range),
    kind === undefined || kind === "webhook" ? undefined : sql`false`,
    scope.routeIds === undefined ? undefined : inArray(deliveries.routeId, [...scope.routeIds]),
    isAmong(deliveries.installationId, scope),
    event === undefined ? undefined : startsWith(events.type, event),
    slower === undefined ? undefined : gte(last.durationMs, slower),
    source === undefined || source === "launches" ? undefined : eq(events.test, source === "console"),
    contains(q, routes.path, last.failure, events.type),
  );
}

/** Deliveries that wait, or that are dead, with their newest attempt: newest first. */
export async function selectDeliveries(
  db: Db,
  scope: CallScope,
  filter: CallFilter,
  { limit, ...selection }: CallSelection,
) {
  const last = newest(db);
  return db
    .select({
      id: deliveries.id,
      attemptId: last.id,
      path: routes.path,
      eventType: events.type,
      createdAt: deliveries.createdAt,
      durationMs: last.durationMs,
      status: last.status,
      failure: last.failure,
      test: events.test,
      installation: {
        id: installations.id,
        title: listings.title,
        tenant: tenants.name,
        test: installations.test,
        trial: isTrial,
      },
      state: deliveries.state,
      attemptCount: deliveries.attemptCount,
      nextAttemptAt: deliveries.nextAttemptAt,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(routes, eq(routes.id, deliveries.routeId))
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .leftJoinLateral(last, sql`true`)
    .where(shown(scope, filter, last, selection))
    .orderBy(desc(deliveries.id))
    .limit(limit);
}

/** Only their ids. */
export async function selectDeliveryIds(
  db: Db,
  scope: CallScope,
  filter: CallFilter,
  { limit, ...selection }: CallSelection,
): Promise<string[]> {
  const last = newest(db);
  const found = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(routes, eq(routes.id, deliveries.routeId))
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .leftJoinLateral(last, sql`true`)
    .where(shown(scope, filter, last, selection))
    .orderBy(desc(deliveries.id))
    .limit(limit);
  return found.map(({ id }) => id);
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

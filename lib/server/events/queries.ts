import { createHash } from "node:crypto";
import { and, count, eq, isNull } from "drizzle-orm";
import { deliveries, events } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import type { CoreEvent } from "@/lib/contract/core";
import type { Db } from "../database/connect";

/** Undefined if the tenant sent this event before. Waits for a concurrent transaction that stores the same event. */
export async function insertEvent(
  tx: Db,
  tenantId: string,
  event: Pick<CoreEvent, "id" | "type">,
  body: string,
  test: boolean,
): Promise<string | undefined> {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const [stored] = await tx
    .insert(events)
    .values({ tenantId, eventId: event.id, type: event.type, body, bodyHash, test })
    .onConflictDoNothing()
    .returning({ id: events.id });
  return stored?.id;
}

/** The result of the first time: its id and number of deliveries. */
export async function selectEvent(db: Db, tenantId: string, coreEventId: string) {
  const [found] = await db
    .select({ id: events.id, deliveries: count(deliveries.id) })
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(and(eq(events.tenantId, tenantId), eq(events.eventId, coreEventId)))
    .groupBy(events.id);
  return found;
}

/** The webhook routes that can get events now; with `testOnly`, only those of Test Launches. */
export async function selectWebhookRoutes(db: Db, tenantId: string, testOnly: boolean) {
  return db
    .select({
      routeId: routes.id,
      path: routes.path,
      patterns: routes.patterns,
      installationId: installations.id,
      test: installations.test,
    })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .where(
      and(
        eq(installations.tenantId, tenantId),
        eq(installations.state, "RUNNING"),
        testOnly ? eq(installations.test, true) : undefined,
        eq(routes.kind, "webhook"),
        isNull(routes.endedAt),
        isNull(routes.removedAt),
      ),
    );
}

export async function insertDeliveries(
  tx: Db,
  eventId: string,
  targets: { routeId: string; installationId: string }[],
): Promise<void> {
  if (targets.length === 0) return;
  await tx
    .insert(deliveries)
    .values(targets.map(({ routeId, installationId }) => ({ eventId, routeId, installationId })));
}

/** The delivery of an event to a route; undefined if the route does not get it. */
export async function selectDeliveryId(
  db: Db,
  eventId: string,
  routeId: string,
): Promise<string | undefined> {
  const [found] = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.eventId, eventId), eq(deliveries.routeId, routeId)));
  return found?.id;
}

import { and, eq, isNull } from "drizzle-orm";
import { deliveries } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import { routes } from "@/drizzle/schema/routes";
import type { Db } from "../database/connect";

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

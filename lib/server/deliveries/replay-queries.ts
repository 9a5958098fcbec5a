import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { deliveries } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import { routes } from "@/drizzle/schema/routes";
import type { Db } from "../database/connect";

const canReceive = and(
  ne(installations.state, "UNINSTALLED"),
  ne(installations.state, "UNINSTALLING"),
  isNull(routes.endedAt),
  isNull(routes.removedAt),
);

/** Those of the deliveries that are the organization's, or one app's, and whether each can be sent again. */
export async function lockDeliveries(
  tx: Db,
  organizationId: string,
  ids: readonly string[],
  listingId?: string,
) {
  return tx
    .select({
      id: deliveries.id,
      state: deliveries.state,
      test: installations.test,
      sendable: sql<boolean>`${canReceive}`,
    })
    .from(deliveries)
    .innerJoin(installations, eq(installations.id, deliveries.installationId))
    .innerJoin(routes, eq(routes.id, deliveries.routeId))
    .where(
      and(
        eq(installations.organizationId, organizationId),
        inArray(deliveries.id, [...ids]),
        listingId === undefined ? undefined : eq(installations.listingId, listingId),
      ),
    )
    .orderBy(deliveries.id)
    .for("update", { of: deliveries });
}

/** Makes locked deliveries pending again, with all their tries. The reason of the last failure stays until the next. */
export async function makePending(
  tx: Db,
  ids: readonly string[],
): Promise<{ id: string; installationId: string }[]> {
  return tx
    .update(deliveries)
    .set({
      state: "PENDING",
      attemptCount: 0,
      interruptions: 0,
      nextAttemptAt: sql`now()`,
      settledAt: null,
      leasedUntil: null,
    })
    .where(inArray(deliveries.id, [...ids]))
    .returning({ id: deliveries.id, installationId: deliveries.installationId });
}

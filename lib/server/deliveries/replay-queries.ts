import { and, eq, gte, inArray, isNull, lt, ne, sql, type SQL } from "drizzle-orm";
import { deliveries, events } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import type { DeliveryState } from "@/lib/contract/installation";
import type { Db } from "../database/connect";

export interface ReplayFilter {
  ids?: readonly string[];
  installationId?: string;
  from?: Date;
  until?: Date;
  eventType?: string;
  states: readonly DeliveryState[];
}

/** Of the organization's deliveries that match, up to `limit`, oldest first; and whether each can be sent again. */
export async function lockMatching(tx: Db, organizationId: string, filter: ReplayFilter, limit: number) {
  const { ids, installationId, from, until, eventType, states } = filter;
  return (
    tx
      .select({
        id: deliveries.id,
        installationId: deliveries.installationId,
        sendable: sql<boolean>`${canReceive}`,
      })
      .from(deliveries)
      .innerJoin(installations, eq(installations.id, deliveries.installationId))
      .innerJoin(routes, eq(routes.id, deliveries.routeId))
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(
        and(
          eq(installations.organizationId, organizationId),
          inArray(deliveries.state, [...states]),
          ids === undefined ? undefined : inArray(deliveries.id, [...ids]),
          installationId === undefined ? undefined : eq(deliveries.installationId, installationId),
          from === undefined ? undefined : gte(events.receivedAt, from),
          until === undefined ? undefined : lt(events.receivedAt, until),
          eventType === undefined ? undefined : eq(events.type, eventType),
        ),
      )
      // Those that can be sent come first, so that the others never fill up a request.
      .orderBy(sql`${canReceive} desc`, deliveries.id)
      .limit(limit)
      .for("update", { of: deliveries })
  );
}

const canReceive: SQL | undefined = and(
  ne(installations.state, "UNINSTALLED"),
  ne(installations.state, "UNINSTALLING"),
  isNull(routes.endedAt),
  isNull(routes.removedAt),
);

/** Makes settled deliveries pending again, with all their tries. The reason of the last failure stays until the next. */
export async function makePending(
  tx: Db,
  organizationId: string,
  ids: readonly string[],
  states: readonly DeliveryState[],
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
    .from(installations)
    .where(
      and(
        inArray(deliveries.id, [...ids]),
        inArray(deliveries.state, [...states]),
        eq(installations.id, deliveries.installationId),
        eq(installations.organizationId, organizationId),
      ),
    )
    .returning({ id: deliveries.id, installationId: deliveries.installationId });
}

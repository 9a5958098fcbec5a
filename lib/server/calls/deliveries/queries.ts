import { and, asc, eq, inArray, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { Pool } from "pg";
import { breakers, deliveries, routes, typeBreakers } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import type { DeliveryState } from "@/lib/contract/catalog/installation-states";
import type { Breakers } from "@/lib/domain/calls/breaker";
import { type Db, runPrepared } from "../../platform/database/connect";
import type { Leased } from "../../platform/lease-queries";
import { type Attempt, recordInterrupted, recordStatement } from "../record-queries";

export interface SettledRow extends Leased {
  state: DeliveryState;
  tries: number;
  interruptions: number;
  /** Until the next attempt; null if there is none. */
  waitMs: number | null;
  /** Why the attempt failed; null if it succeeded. */
  reason: string | null;
}

/**
 * Settles many deliveries in one statement. Returns the ids of the settled ones: a claim that lost its lease doesn't settle its delivery.
 * Rows are locked in the order of their ids, so that this never deadlocks with a transaction that ends the deliveries of a route.
 */
export async function settleDeliveries(tx: Db, rows: readonly SettledRow[]): Promise<Set<string>> {
  const settled = await tx.execute<{ id: string }>(settleStatement(rows));
  return new Set(settled.rows.map(({ id }) => id));
}

/** The same, together with their attempts, in one statement. */
export async function settleWithAttempts(
  pool: Pool,
  rows: readonly SettledRow[],
  attempts: readonly Attempt[],
): Promise<void> {
  await runPrepared(
    pool,
    "settle-deliveries",
    sql`with recorded as (${recordStatement(attempts)}) ${settleStatement(rows)}`,
  );
}

/** Arrays, not JSON: PostgreSQL assumes that an array is short, so it looks rows up by their ids however many there are. */
function settleStatement(rows: readonly SettledRow[]): SQL {
  const ordered = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const column = <Name extends keyof SettledRow>(name: Name) => sql.param(ordered.map((row) => row[name]));
  return sql`
    update deliveries d
       set state = s.state, attempt_count = s.tries, interruptions = s.interruptions, reason = s.reason,
           leased_until = null,
           next_attempt_at = case when s.state = 'PENDING' then now() + s.wait_ms * interval '1 millisecond'
                                  else d.next_attempt_at end,
           settled_at = case when s.state = 'PENDING' then null else now() end
      from unnest(${column("id")}::uuid[], ${column("claim")}::uuid[], ${column("state")}::delivery_state[],
                  ${column("tries")}::int[], ${column("interruptions")}::int[], ${column("waitMs")}::float8[],
                  ${column("reason")}::text[]) as s (id, claim, state, tries, interruptions, wait_ms, reason)
     where d.id = s.id and d.state = 'PENDING' and d.leased_by = s.claim and d.leased_until is not null
    returning d.id`;
}

/** The breakers of these installations, locked until the transaction ends; new ones are closed. */
export async function lockBreakers(
  tx: Db,
  installationIds: readonly string[],
): Promise<Map<string, Breakers>> {
  const ids = installationIds.toSorted();
  await tx
    .insert(breakers)
    .values(ids.map((installationId) => ({ installationId })))
    .onConflictDoNothing();
  // Whoever has the lock of the whole may change those of the types.
  const wholes = await tx
    .select()
    .from(breakers)
    .where(inArray(breakers.installationId, ids))
    .orderBy(asc(breakers.installationId))
    .for("update");
  const types = await tx.select().from(typeBreakers).where(inArray(typeBreakers.installationId, ids));
  return new Map(
    wholes.map(({ installationId, ...whole }) => {
      const own = types.filter((each) => each.installationId === installationId);
      const byType = own.map(({ installationId: _id, eventType, ...type }) => [eventType, type] as const);
      return [installationId, { whole, types: new Map(byType) }];
    }),
  );
}

/** Stores what changed. */
export async function storeBreakers(tx: Db, installationId: string, before: Breakers, next: Breakers) {
  if (next.whole !== before.whole)
    await tx.update(breakers).set(next.whole).where(eq(breakers.installationId, installationId));
  for (const [eventType, breaker] of next.types)
    if (breaker !== before.types.get(eventType))
      await tx
        .insert(typeBreakers)
        .values({ installationId, eventType, ...breaker })
        .onConflictDoUpdate({ target: [typeBreakers.installationId, typeBreakers.eventType], set: breaker });
}

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

import { and, asc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Pool } from "pg";
import { breakers } from "@/drizzle/schema/deliveries";
import type { DeliveryState } from "@/lib/contract/installation-states";
import type { Breaker } from "@/lib/domain/circuit-breaker";
import { recordStatement, type Attempt } from "../calls/record-queries";
import type { Db } from "../database/connect";
import { runPrepared } from "../database/run-prepared";
import type { Leased } from "../leases/queries";

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
 * Rows are locked in the order of their ids, so that whoever ends the deliveries of a route never deadlocks with this.
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
): Promise<(Breaker & { installationId: string })[]> {
  const ids = installationIds.toSorted();
  await tx
    .insert(breakers)
    .values(ids.map((installationId) => ({ installationId })))
    .onConflictDoNothing();
  return tx
    .select()
    .from(breakers)
    .where(inArray(breakers.installationId, ids))
    .orderBy(asc(breakers.installationId))
    .for("update");
}

export async function storeBreaker(
  tx: Db,
  { installationId, ...breaker }: Breaker & { installationId: string },
) {
  await tx
    .update(breakers)
    .set(breaker)
    .where(and(eq(breakers.installationId, installationId)));
}

import type { Pool } from "pg";
import { firstIdAt } from "@/lib/domain/call-range";
import type { Cursor } from "./cursor";

/** A call that was recorded or that ended. */
export interface Change {
  id: string;
  organizationId: string;
  /** The transaction that wrote it. */
  transaction: bigint;
}

/** The longest time between a call's id and its last change: a lifecycle hook's 60 s, and time to record it. */
const LONGEST_CALL_MS = 120_000;

/** For one organization and one cursor. If more changed, the list has to be loaded again. */
export const MOST_CHANGES = 500;

export async function selectCursor(pool: Pool): Promise<Cursor> {
  const { rows } = await pool.query<Cursor>(
    "select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at, pg_current_snapshot()::text as snapshot",
  );
  const [cursor] = rows;
  if (cursor === undefined) throw new Error("a snapshot returned no row");
  return cursor;
}

/**
 * What changed since a cursor, and the cursor that shows it: one statement, so one snapshot. A row's `xmin` is the transaction
 * that wrote this version of it, in 32 bits: the higher ones are those of the next transaction's id, or one less if that id has
 * passed a multiple of 2³² since. Ids below 3 are not transactions: such a row is old.
 */
const CHANGES = `
  with now as materialized (
    select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at,
           pg_current_snapshot() as snapshot,
           pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next)
  select now.at, now.snapshot::text as snapshot, c.id, o.id as "organizationId", c.transaction::text as transaction
    from now
    left join (unnest($1::uuid[]) as o (id)
      cross join now as n
      cross join lateral (
        select a.id, w.transaction
          from attempts a
         cross join lateral (select a.xmin::text::bigint as low) x
         cross join lateral (
           select case when (n.next >> 32 << 32) + x.low < n.next then (n.next >> 32 << 32) + x.low
                       else (n.next >> 32 << 32) + x.low - 4294967296 end as transaction) w
         where a.organization_id = o.id and a.id >= $2 and x.low >= 3
           and not pg_visible_in_snapshot(w.transaction::text::xid8, $3::pg_snapshot)
         order by a.id desc
         limit ${MOST_CHANGES + 1}) c) on true`;

interface ChangeRow extends Cursor {
  id: string | null;
  organizationId: string;
  transaction: string;
}

export async function selectChanges(
  pool: Pool,
  organizationIds: readonly string[],
  since: Cursor,
): Promise<{ cursor: Cursor; changes: Change[] }> {
  const { rows } = await pool.query<ChangeRow>(CHANGES, [
    organizationIds,
    firstIdAt(new Date(since.at - LONGEST_CALL_MS)),
    since.snapshot,
  ]);
  const [first] = rows;
  if (first === undefined) throw new Error("a snapshot returned no row");
  const changes = rows.flatMap(({ id, organizationId, transaction }) =>
    id === null ? [] : [{ id, organizationId, transaction: BigInt(transaction) }],
  );
  return { cursor: { at: first.at, snapshot: first.snapshot }, changes };
}

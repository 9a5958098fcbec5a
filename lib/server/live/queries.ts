import type { Pool } from "pg";
import type { Cursor } from "./cursor";

/** When and what a statement sees: `at`, `snapshot`, and the id of the next transaction. */
export const NOW = `
  select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at,
         pg_current_snapshot() as snapshot,
         pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`;

/**
 * The transaction that wrote this version of a row, given its `xmin` as a number. That has 32 bits: the higher ones are those of
 * the next transaction's id, or one less if that id has passed a multiple of 2³² since. Ids below 3 are not transactions: such a
 * row is old.
 */
export function widenTransaction(low: string, next: string): string {
  return `case when (${next} >> 32 << 32) + ${low} < ${next} then (${next} >> 32 << 32) + ${low}
               else (${next} >> 32 << 32) + ${low} - 4294967296 end`;
}

export async function selectCursor(pool: Pool): Promise<Cursor> {
  const { rows } = await pool.query<Cursor>(`select at, snapshot::text as snapshot from (${NOW}) as now`);
  const [cursor] = rows;
  if (cursor === undefined) throw new Error("a snapshot returned no row");
  return cursor;
}

/** A row that was written. */
export interface Change {
  id: string;
  /** Whose list it belongs to. */
  key: string;
  /** The transaction that wrote it. */
  transaction: bigint;
}

/** Runs a statement that returns its own cursor with each change, or once without one. */
export async function queryChanges(
  pool: Pool,
  statement: string,
  values: unknown[],
): Promise<{ cursor: Cursor; changes: Change[] }> {
  const { rows } = await pool.query<Cursor & { id: string | null; key: string; transaction: string }>(
    statement,
    values,
  );
  const [first] = rows;
  if (first === undefined) throw new Error("a snapshot returned no row");
  const changes = rows.flatMap(({ id, key, transaction }) =>
    id === null ? [] : [{ id, key, transaction: BigInt(transaction) }],
  );
  return { cursor: { at: first.at, snapshot: first.snapshot }, changes };
}

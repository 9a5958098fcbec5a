import type { Pool } from "pg";
import { Problem } from "@/lib/contract/platform/problem";

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

/**
 * The position of a live list: a snapshot of the database. What the snapshot doesn't show is exactly what changed since, in
 * whatever order transactions commit, so a list that resumes misses nothing and repeats nothing: see docs/decisions/023.
 */
export interface Cursor {
  /** When the snapshot was taken, in milliseconds on the database's clock. */
  at: number;
  /** As PostgreSQL's `pg_snapshot`: `xmin:xmax:xip,…`. */
  snapshot: string;
}

const SHAPE = /^(\d{1,15})\.((\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?))$/;

export function writeCursor({ at, snapshot }: Cursor): string {
  return `${at}.${snapshot}`;
}

/** @throws BAD_INPUT if PostgreSQL would not read it as a snapshot */
export function readCursor(text: string): Cursor {
  const [, at, snapshot, oldest, next, running] = SHAPE.exec(text) ?? [];
  if (at !== undefined && snapshot !== undefined && oldest !== undefined && next !== undefined) {
    const steps = [oldest, ...(running ? running.split(",") : []), next].map(BigInt);
    const first = steps[0] ?? 0n;
    const isOrdered = steps.every((step, index) => {
      const before = steps[index - 1] ?? 0n;
      // The first running transaction is usually the oldest one itself.
      return index < 2 || index === steps.length - 1 ? step >= before : step > before;
    });
    const isBelowNext = steps.slice(1, -1).every((step) => step < BigInt(next));
    if (first > 0n && isOrdered && isBelowNext && BigInt(next) < 2n ** 63n)
      return { at: Number(at), snapshot };
  }
  throw new Problem("BAD_INPUT", "The position in the list is not valid. Load the list again.");
}

/** Whether a snapshot shows what a transaction wrote. */
export function isShown({ snapshot }: Cursor, transaction: bigint): boolean {
  const [oldest = "0", next = "0", running = ""] = snapshot.split(":");
  if (transaction < BigInt(oldest)) return true;
  return transaction < BigInt(next) && !running.split(",").includes(String(transaction));
}

/**
 * The position of a live list: a snapshot of the database. What the snapshot doesn't show is exactly what changed since, in
 * whatever order transactions commit, so a list that resumes misses nothing and repeats nothing: see docs/decisions/035.
 */
import { Problem } from "@/lib/contract/problem";

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

import type { Platform } from "../platform/platform";
import { extendLease, type LeasedTable } from "./queries";

/** After a crash, another worker takes over within this time. */
export const LEASE_SECONDS = 30;

/** Extends the lease of a claimed row until the work is done. */
export async function whileLeased(
  platform: Platform,
  table: LeasedTable,
  id: string,
  work: Promise<void>,
): Promise<void> {
  const extend = () => extendLease(platform.db, table, id, LEASE_SECONDS);
  await work.finally(repeat(platform, (LEASE_SECONDS * 1000) / 3, extend));
}

/** Repeats a sign of life until the returned function is called. If one fails, the next may succeed. */
export function repeat(platform: Platform, everyMs: number, sign: () => Promise<unknown>): () => void {
  const timer = setInterval(() => {
    sign().catch((error: unknown) => platform.log.warn({ err: error }, "a claim could not be extended"));
  }, everyMs);
  return () => clearInterval(timer);
}

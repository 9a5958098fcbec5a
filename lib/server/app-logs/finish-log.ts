import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { LEASE_SECONDS } from "../leases/lease-loop";
import { giveBackLeases } from "../leases/queries";
import type { Platform } from "../platform/platform";
import type { Runtime } from "../runtimes/runtime";
import { followLog } from "./follow-log";
import { claimLog, closeLog, isLogClosed } from "./queries";

const LONGEST_MS = 3_000;
const POLL_MS = 50;

/**
 * Stores the rest of an instance's log before its container is removed, or waits shortly until the worker that follows it has.
 * A container that still runs is not waited for: whoever follows it reads on until it ends. Never throws, because an app must
 * be stopped whatever happens to its log.
 */
export async function finishLog(
  platform: Platform,
  runtime: Runtime,
  { id, handle }: { id: string; handle: string | null },
): Promise<void> {
  if (handle === null) return;
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const lease = { claim: v7(), seconds: LEASE_SECONDS, workerId: null };
    const log = await claimLog(platform.db, id, lease);
    if (log === undefined) {
      if (!(await runtime.inspect(handle)).running) await waitUntilClosed(platform, id, signal);
      return;
    }
    await followLog(platform, runtime, { log: { ...log, handle }, follow: false, signal });
    if ((await runtime.inspect(handle)).running || !(await closeLog(platform.db, log)))
      await giveBackLeases(platform.db, "instanceLogs", [log]);
  } catch (error) {
    platform.log.warn({ err: error, instance: id }, "the end of an app's log could not be stored");
  }
}

async function waitUntilClosed(platform: Platform, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isLogClosed(platform.db, id))) await sleep(POLL_MS);
}

import { setTimeout as sleep } from "node:timers/promises";
import { LEASE_SECONDS, type Pool } from "../leases/lease-loop";
import { giveBackLeases } from "../leases/queries";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { followLog } from "./follow-log";
import { claimLogs, closeLog, insertLogs, type ClaimedLog } from "./queries";
import { forgetVersionSecrets } from "./version-secrets";

/** How many instances a worker follows at once. */
const LIMIT = 500;

/** Until it looks again at a log that ended although its instance has not, or that can't be read. */
const AGAIN_SECONDS = 2;

/** Follows the logs of all instances. `signal`: leaves them to other workers, after storing what was read. */
export function logPool(platform: Platform, runtimes: Runtimes, signal: AbortSignal): Pool<ClaimedLog> {
  return {
    name: "instanceLogs",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: async (free, lease) => {
      await insertLogs(platform.db);
      return claimLogs(platform.db, free, lease);
    },
    handle: (log) => handleLog(platform, runtimes, log, signal),
  };
}

async function handleLog(
  platform: Platform,
  runtimes: Runtimes,
  log: ClaimedLog,
  signal: AbortSignal,
): Promise<void> {
  const runtime = runtimes.byName(log.runtime);
  try {
    if (runtime !== undefined) await followLog(platform, runtime, { log, follow: true, signal });
    if (!signal.aborted && (await closeLog(platform.db, log)))
      return forgetVersionSecrets(platform, log.versionId);
  } catch (error) {
    platform.log.warn({ err: error, instance: log.id }, "an app's log could not be stored; trying again");
    // The database may be down, too.
    await sleep(AGAIN_SECONDS * 1_000, undefined, { signal }).catch(() => undefined);
  }
  await giveBackLeases(platform.db, "instanceLogs", [log], signal.aborted ? 0 : AGAIN_SECONDS);
}

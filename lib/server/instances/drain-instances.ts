import { finishLog } from "../app-logs/finish-log";
import { LONGEST_CALL_SECONDS } from "../calls/call-route";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { GRACE_SECONDS } from "./ensure-instance";
import type { InstanceRow } from "./queries";
import { readLogTail } from "./read-log-tail";
import { claimDraining, drainSurplus, endDrained, selectDrained } from "./replica-queries";

const LOOK_SECONDS = 1;

/**
 * Takes calls away from instances that their version doesn't need anymore, and ends those whose last call has finished.
 * @param longestCallSeconds synchronous calls are recorded when they end, so an instance is kept as long as they may take
 */
export async function drainInstances(
  platform: Platform,
  runtimes: Runtimes,
  longestCallSeconds = LONGEST_CALL_SECONDS,
): Promise<void> {
  for (const { versionId, replica } of await drainSurplus(
    platform.db,
    platform.environment.PLATFORM_APP_REPLICAS,
  ))
    platform.log.info({ versionId, replica }, "instance is drained");
  const claimed = await claimDraining(platform.db, LOOK_SECONDS);
  if (claimed.length === 0) return;
  const ids = claimed.map(({ id }) => id);
  const drained = await selectDrained(platform.db, ids, longestCallSeconds);
  await Promise.all(
    claimed.map(async (instance) => {
      if (drained.has(instance.id) || (await hasExited(runtimes, instance)))
        await endInstance(platform, runtimes, instance);
    }),
  );
}

async function hasExited(runtimes: Runtimes, { runtime, handle }: InstanceRow): Promise<boolean> {
  const known = runtimes.byName(runtime);
  if (known === undefined || handle === null) return true;
  const inspection = await known.inspect(handle).catch(() => undefined);
  return inspection?.running === false;
}

/** Its row ends after it: while the row is there, nobody takes it for a stray, and another worker can go on. */
async function endInstance(platform: Platform, runtimes: Runtimes, instance: InstanceRow): Promise<void> {
  const { id, handle, versionId } = instance;
  const runtime = runtimes.byName(instance.runtime);
  if (runtime === undefined || handle === null) {
    await endDrained(platform.db, id, "");
    return;
  }
  const logTail = await readLogTail(platform, runtime, handle, versionId);
  await finishLog(platform, runtime, instance);
  await runtime.stop(handle, GRACE_SECONDS);
  await endDrained(platform.db, id, logTail);
}

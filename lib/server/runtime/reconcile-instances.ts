import type { Platform } from "../platform/platform";
import { endIfExited, followAddress } from "./check-instances";
import type { Runtimes } from "./engines/choose-runtime";
import { GRACE_SECONDS } from "./ensure-instance";
import * as queries from "./instance-queries";
import type { InstanceRow } from "./instance-queries";
import { finishLog } from "./logs/follow-log";
import { readLogTail } from "./logs/read-log-tail";
import { removeStrays } from "./remove-strays";
import { endUnneeded, noteUnneeded } from "./replica-queries";

/** Shown as the last line of the app's log. A container's first process gets no default handling of signals. */
const IGNORED_SIGTERM = `\n[platform] The app did not end within ${GRACE_SECONDS} s of SIGTERM, so it was killed. Handle SIGTERM in its first process, or its requests in progress are cut off.\n`;

/**
 * Reconciles the database with the runtimes when a worker starts: adopts instances that still run, ends the others, and
 * stops containers that nobody needs.
 */
export async function reconcileInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  for (const instance of await queries.selectLiveInstances(platform.db))
    await adoptOrEnd(platform, runtimes, instance);
  await removeStrays(platform, runtimes);
  await stopUnneeded(platform, runtimes);
}

async function adoptOrEnd(platform: Platform, runtimes: Runtimes, instance: InstanceRow): Promise<void> {
  // Another worker may be starting it. The restore ends abandoned starts.
  if (instance.state === "STARTING") return;
  if (await endIfExited(platform, runtimes, instance)) return;
  await followAddress(platform, runtimes, instance);
}

/** Stops the instances that no installation needs anymore. */
export async function stopUnneeded(platform: Platform, runtimes: Runtimes): Promise<void> {
  for (const instance of await endUnneeded(platform.db)) {
    const runtime = runtimes.byName(instance.runtime);
    if (runtime === undefined || instance.handle === null) continue;
    // A launch whose hook failed ends here, and the log may say why.
    const logTail = await readLogTail(platform, runtime, instance.handle, instance.versionId);
    await queries.keepLog(platform.db, instance.id, logTail);
    await finishLog(platform, runtime, instance);
    if ((await runtime.stop(instance.handle, GRACE_SECONDS)) === "killed")
      await queries.keepLog(platform.db, instance.id, logTail.trimEnd() + IGNORED_SIGTERM);
  }
  await noteUnneeded(platform.db);
}

/** When a worker ends, the instances that end with it have not crashed: the next worker starts them again. */
export async function closeInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  const ended = (await Promise.all(runtimes.all.map((runtime) => runtime.close()))).flat();
  await queries.endInstancesByHandles(platform.db, ended);
}

import { finishLog } from "../app-logs/finish-log";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import type { Runtime } from "../runtimes/runtime";
import { endIfExited, followAddress } from "./check-instances";
import { GRACE_SECONDS } from "./ensure-instance";
import * as queries from "./queries";
import type { InstanceRow } from "./queries";
import { readLogTail } from "./read-log-tail";

/** Shown as the last line of the app's log. A container's first process gets no default handling of signals. */
const IGNORED_SIGTERM = `\n[platform] The app did not end within ${GRACE_SECONDS} s of SIGTERM, so it was killed. Handle SIGTERM in its first process, or its requests in progress are cut off.\n`;

/**
 * Reconciles the database with the runtimes when a worker starts: adopts instances that still run, ends the others, and
 * stops containers that nobody needs.
 */
export async function reconcileInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  for (const instance of await queries.selectLiveInstances(platform.db))
    await adoptOrEnd(platform, runtimes, instance);
  for (const runtime of runtimes.all) await removeStrays(platform, runtime);
  await stopUnneeded(platform, runtimes);
}

async function adoptOrEnd(platform: Platform, runtimes: Runtimes, instance: InstanceRow): Promise<void> {
  // Another worker may be starting it. The restore ends abandoned starts.
  if (instance.state === "STARTING") return;
  if (await endIfExited(platform, runtimes, instance)) return;
  await followAddress(platform, runtimes, instance);
}

/** Removes containers of ours without a live row, left by a worker that died between two steps. */
async function removeStrays(platform: Platform, runtime: Runtime): Promise<void> {
  const found = await runtime.list().catch(() => []);
  const live = await queries.selectLiveInstances(platform.db);
  const known = new Set(live.map((instance) => instance.handle));
  const checking = await queries.selectRunningEvidence(platform.db);
  const starting = new Set([
    ...live.filter((instance) => instance.state === "STARTING").map((instance) => instance.versionId),
    // Automatic checks start instances of their own, with their id in place of a version's.
    ...checking,
  ]);
  for (const { handle, versionId } of found) {
    if (known.has(handle) || starting.has(versionId)) continue;
    platform.log.info({ handle, versionId, runtime: runtime.name }, "stray removed");
    await runtime.stop(handle, GRACE_SECONDS);
  }
}

/** Stops the instances that no installation needs anymore. */
export async function stopUnneeded(platform: Platform, runtimes: Runtimes): Promise<void> {
  for (const instance of await queries.endUnneeded(platform.db)) {
    const runtime = runtimes.byName(instance.runtime);
    if (runtime === undefined || instance.handle === null) continue;
    // A launch whose hook failed ends here, and the log may say why.
    const logTail = await readLogTail(platform, runtime, instance.handle, instance.versionId);
    await queries.keepLog(platform.db, instance.id, logTail);
    await finishLog(platform, runtime, instance);
    if ((await runtime.stop(instance.handle, GRACE_SECONDS)) === "killed")
      await queries.keepLog(platform.db, instance.id, logTail.trimEnd() + IGNORED_SIGTERM);
  }
}

/** When a worker ends, the instances that end with it have not crashed: the next worker starts them again. */
export async function closeInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  const ended = (await Promise.all(runtimes.all.map((runtime) => runtime.close()))).flat();
  await queries.endInstancesByHandles(platform.db, ended);
}

import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import type { Runtime } from "../runtimes/runtime";
import { GRACE_SECONDS } from "./ensure-instance";
import * as queries from "./queries";
import type { InstanceRow } from "./queries";
import { restoreInstances } from "./restore-instances";

/**
 * Brings what the database says and what runs together: adopts what still runs, ends what does not, removes what
 * nobody knows, starts what running installations need. For the start of a worker, and now and then.
 */
export async function reconcileInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  for (const instance of await queries.selectLiveInstances(platform.db))
    await adoptOrEnd(platform, runtimes, instance);
  for (const runtime of runtimes.all) await removeStrays(platform, runtime);
  await stopUnneeded(platform, runtimes);
  await restoreInstances(platform, runtimes);
}

async function adoptOrEnd(platform: Platform, runtimes: Runtimes, instance: InstanceRow): Promise<void> {
  // Another worker may be at it; an abandoned start is ended by the restore.
  if (instance.state === "STARTING") return;
  const runtime = runtimes.byName(instance.runtime);
  if (runtime === undefined || instance.handle === null) return;
  // An engine that does not answer says nothing about its containers: leave them to the health checks.
  const inspection = await runtime.inspect(instance.handle).catch(() => undefined);
  if (inspection === undefined || (inspection.running && inspection.origin === instance.origin)) return;
  const reason = inspection.running
    ? "Its address changed."
    : `It ${inspection.reason} while no worker watched.`;
  await queries.endInstance(platform.db, instance.id, { state: "STOPPED", reason });
}

/** What runs under our name without a live row: left over by a worker that died between two steps. */
async function removeStrays(platform: Platform, runtime: Runtime): Promise<void> {
  const found = await runtime.list().catch(() => []);
  const live = await queries.selectLiveInstances(platform.db);
  const known = new Set(live.map((instance) => instance.handle));
  const starting = new Set(
    live.filter((instance) => instance.state === "STARTING").map((instance) => instance.versionId),
  );
  for (const { handle, versionId } of found) {
    if (known.has(handle) || starting.has(versionId)) continue;
    platform.log.info({ handle, versionId, runtime: runtime.name }, "stray removed");
    await runtime.stop(handle, GRACE_SECONDS);
  }
}

/** Stops the instances that serve no installation any more. */
export async function stopUnneeded(platform: Platform, runtimes: Runtimes): Promise<void> {
  for (const instance of await queries.endUnneeded(platform.db)) {
    const runtime = runtimes.byName(instance.runtime);
    if (runtime === undefined || instance.handle === null) continue;
    await runtime.stop(instance.handle, GRACE_SECONDS);
  }
}

/** For a worker that ends: what ended with it is no crash, and the next worker starts it again. */
export async function closeInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  const ended = (await Promise.all(runtimes.all.map((runtime) => runtime.close()))).flat();
  await queries.endInstancesOf(platform.db, ended);
}

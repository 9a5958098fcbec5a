import { isPassing } from "@/lib/contract/runtime/instance-reasons";
import { isStray } from "@/lib/domain/runtime/instance";
import type { Platform } from "../platform/platform";
import { reportFailure } from "../platform/database/repeated-failures";
import { endIfExited, followAddress } from "./check-instances";
import type { Runtimes } from "./engines/choose-runtime";
import { type Found, InstanceFailure, type Runtime } from "./engines/runtime";
import { noteKilled, replaceLeaving, stopInstance } from "./drain-instances";
import { GRACE_SECONDS } from "./ensure-instance";
import * as queries from "./instance-queries";
import type { InstanceRow } from "./instance-queries";
import { endInstancesByHandles, endUnneeded, noteUnneeded } from "./instance-state-queries";
import { readLogTail } from "./logs/read-log-tail";
import * as strays from "./stray-queries";

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
  if (instance.state === "READY" && (await replaceLeaving(platform, runtimes, instance))) return;
  await followAddress(platform, runtimes, instance);
}

/** Stops the instances that no installation needs anymore, side by side: one that ignores SIGTERM delays no other. */
export async function stopUnneeded(platform: Platform, runtimes: Runtimes): Promise<void> {
  const unneeded = await endUnneeded(platform.db);
  const stops = await Promise.allSettled(
    unneeded.map(async (instance) => {
      const runtime = runtimes.byName(instance.runtime);
      if (runtime === undefined || instance.handle === null) return;
      // A launch whose hook failed ends here, and the log may say why.
      const logTail = await readLogTail(platform, runtime, instance.handle, instance.versionId);
      await queries.keepLog(platform.db, instance.id, logTail);
      await noteKilled(platform, instance, logTail, await stopInstance(platform, runtime, instance));
    }),
  );
  await noteUnneeded(platform.db);
  // What could not be stopped is a stray now, and tried again.
  for (const stop of stops) if (stop.status === "rejected") throw stop.reason;
}

/** When a worker ends, the instances that end with it have not crashed: the next worker starts them again. */
export async function closeInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  const ended = (await Promise.all(runtimes.all.map((runtime) => runtime.close()))).flat();
  await endInstancesByHandles(platform.db, ended);
}

const HOUR_MS = 60 * 60_000;

/**
 * Removes from the runtimes what belongs to nobody: what a worker that died between two steps has left, or a start that was given up
 * before its handle was stored. One worker at a time; the others skip it.
 */
export async function removeStrays(
  platform: Platform,
  runtimes: Runtimes,
  mostMs = LOCKED_MS,
): Promise<void> {
  await whileLocked(platform, mostMs, (late) =>
    Promise.all(runtimes.all.map((runtime) => removeFrom(platform, runtime, late))),
  );
}

/** PostgreSQL ends a transaction that does nothing for 30 seconds, and its lock with it. */
const LOCKED_MS = 20_000;

/** Nothing if another worker has the lock. What takes longer ends without it, and begins nothing more. */
async function whileLocked(
  platform: Platform,
  mostMs: number,
  work: (late: AbortSignal) => Promise<unknown>,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!(await strays.lockStrays(tx))) return;
    const late = AbortSignal.timeout(mostMs);
    await Promise.race([work(late), new Promise((resolve) => late.addEventListener("abort", resolve))]);
  });
}

const LISTING = "list strays";

async function removeFrom(platform: Platform, runtime: Runtime, late: AbortSignal): Promise<void> {
  // An engine that doesn't respond is looked at again. Anything else, such as a missing right, must be fixed.
  const orNothing = (err: unknown) => {
    const passes = err instanceof InstanceFailure && isPassing(err.reasonCode);
    const message = "what is left of apps can't be listed";
    if (!passes) reportFailure(platform.log, LISTING, { err, level: "warn", message });
    return [];
  };
  await runtime.removeAbandonedProbes?.().catch(() => undefined);
  const networks = (await runtime.listNetworks?.().catch(orNothing)) ?? [];
  const found = await runtime.list().catch(orNothing);
  if (found.length + networks.length === 0 || late.aborted) return;
  // After the lists: a start is recorded before it creates anything.
  const owners = await strays.selectOwners(platform.db);
  const checking = await strays.selectRunningEvidence(platform.db);
  const isLeft = (one: Found) => isStray(one, owners, checking);
  const remove = async (kind: string, one: Found, work: Promise<unknown> | undefined) => {
    platform.log.info({ ...one, kind, runtime: runtime.name }, "stray removed");
    await work?.catch((err: unknown) =>
      reportFailure(platform.log, "remove a stray", {
        err,
        level: "warn",
        message: "a stray could not be removed",
      }),
    );
  };
  await Promise.all([
    ...found.filter(isLeft).map((one) => remove("instance", one, runtime.stop(one.handle, GRACE_SECONDS))),
    ...networks.filter(isLeft).map((one) => remove("network", one, runtime.removeNetwork?.(one.handle))),
  ]);
}

/** Removes images that no installation needs, and that nothing has used for as long as the operator keeps them. */
export async function removeUnusedImages(
  platform: Platform,
  runtimes: Runtimes,
  mostMs = LOCKED_MS,
): Promise<void> {
  const since = new Date(Date.now() - platform.environment.PLATFORM_KEEP_IMAGES_HOURS * HOUR_MS);
  await whileLocked(platform, mostMs, async () => {
    for (const { name, removeImages } of runtimes.all) {
      const wanted = await strays.selectWantedImages(platform.db, since);
      const removed = (await removeImages?.(wanted, since).catch(() => 0)) ?? 0;
      if (removed > 0) platform.log.info({ runtime: name, removed }, "unused images removed");
    }
  });
}

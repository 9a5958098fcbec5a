/** Removes what nothing needs from the runtimes, while a worker runs. One worker at a time does this; the others skip it. */
import { isStray } from "@/lib/domain/runtime/instance";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "./engines/choose-runtime";
import type { Found, Runtime } from "./engines/runtime";
import { GRACE_SECONDS } from "./ensure-instance";
import * as queries from "./stray-queries";

const HOUR_MS = 60 * 60_000;

/** What a worker that died between two steps has left, or a start that was given up before its handle was stored. */
export async function removeStrays(platform: Platform, runtimes: Runtimes): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!(await queries.lockStrays(tx))) return;
    for (const runtime of runtimes.all) await removeFrom(platform, runtime);
  });
}

async function removeFrom(platform: Platform, runtime: Runtime): Promise<void> {
  // An engine that doesn't respond is looked at again.
  await runtime.removeAbandonedProbes?.().catch(() => undefined);
  const networks = (await runtime.listNetworks?.().catch(() => [])) ?? [];
  const found = await runtime.list().catch(() => []);
  if (found.length + networks.length === 0) return;
  // After the lists: a start is recorded before it creates anything.
  const owners = await queries.selectOwners(platform.db);
  const checking = await queries.selectRunningEvidence(platform.db);
  const isLeft = (one: Found) => isStray(one, owners, checking);
  const remove = async (kind: string, one: Found, work: Promise<unknown> | undefined) => {
    platform.log.info({ ...one, kind, runtime: runtime.name }, "stray removed");
    await work?.catch((error: unknown) => platform.log.warn({ err: error }, "a stray could not be removed"));
  };
  await Promise.all(
    found.filter(isLeft).map((one) => remove("instance", one, runtime.stop(one.handle, GRACE_SECONDS))),
  );
  await Promise.all(
    networks.filter(isLeft).map((one) => remove("network", one, runtime.removeNetwork?.(one.handle))),
  );
}

/** Removes images that no installation needs, and that nothing has used for as long as the operator keeps them. */
export async function removeUnusedImages(platform: Platform, runtimes: Runtimes): Promise<void> {
  const since = new Date(Date.now() - platform.environment.PLATFORM_KEEP_IMAGES_HOURS * HOUR_MS);
  await platform.db.transaction(async (tx) => {
    if (!(await queries.lockStrays(tx))) return;
    for (const { name, removeImages } of runtimes.all) {
      const wanted = await queries.selectWantedImages(tx, since);
      const removed = (await removeImages?.(wanted, since).catch(() => 0)) ?? 0;
      if (removed > 0) platform.log.info({ runtime: name, removed }, "unused images removed");
    }
  });
}

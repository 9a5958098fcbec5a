import { setTimeout as sleep } from "node:timers/promises";
import { LONGEST_CALL_SECONDS } from "../calls/call-route";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import type { Runtime } from "../runtimes/runtime";
import { createOrder, GRACE_SECONDS, READY_WITHIN_MS, waitUntilReady } from "./ensure-instance";
import * as queries from "./queries";
import type { InstanceRow } from "./queries";

/** After a move that failed, such as on an engine that cannot build images. */
const PAUSE_MS = 60_000;

/** How long calls in progress may finish on the process, which the longest call takes. */
const DRAIN_MS = 65_000;
const POLL_MS = 500;

/**
 * Moves example apps that run as processes to containers, once an engine responds and containers can reach what the apps
 * need. Only the demo on one machine has such apps, with one worker.
 * @param longestCallSeconds synchronous calls are recorded when they end, so the process is kept as long as they may take
 */
export function createMover(
  platform: Platform,
  runtimes: Runtimes,
  longestCallSeconds = LONGEST_CALL_SECONDS,
): () => Promise<void> {
  const pausedUntil = new Map<string, number>();
  let moving = false;
  return async () => {
    if (moving || !platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS) return;
    moving = true;
    try {
      const found = await queries.selectProcesses(platform.db);
      const due = found.filter(({ versionId }) => (pausedUntil.get(versionId) ?? 0) < Date.now());
      const target = due.length === 0 ? undefined : await runtimes.findIsolating();
      if (target === undefined) return;
      for (const instance of due) {
        await moveInstance(platform, runtimes, target, instance, longestCallSeconds).catch(
          (error: unknown) => {
            pausedUntil.set(instance.versionId, Date.now() + PAUSE_MS);
            platform.log.warn({ err: error, versionId: instance.versionId }, "instance could not be moved");
          },
        );
      }
    } finally {
      moving = false;
    }
  };
}

/** Starts the container beside the process and switches when it is ready, so that no call is lost. */
async function moveInstance(
  platform: Platform,
  runtimes: Runtimes,
  target: Runtime,
  instance: InstanceRow,
  longestCallSeconds: number,
): Promise<void> {
  const { db, log } = platform;
  const version = await queries.selectVersion(db, instance.versionId);
  if (version === undefined) return;
  const started = await target.start(createOrder(platform, target, version));
  try {
    await waitUntilReady(target, started, READY_WITHIN_MS);
    if (!(await queries.replaceInstance(db, instance, { runtime: target.name, ...started }))) {
      // It crashed or was stopped meanwhile. If it is needed, it runs again, and the next round moves it.
      await target.stop(started.handle, 0);
      return;
    }
  } catch (error) {
    await target.stop(started.handle, 0);
    throw error;
  }
  log.info({ versionId: instance.versionId, runtime: target.name }, "instance moved");
  const until = Date.now() + DRAIN_MS;
  while (Date.now() < until && !(await queries.isDrained(db, instance.id, longestCallSeconds)))
    await sleep(POLL_MS);
  if (instance.handle !== null) await runtimes.byName(instance.runtime)?.stop(instance.handle, GRACE_SECONDS);
}

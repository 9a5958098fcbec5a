import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../platform/platform";
import { notifyStart } from "../database/work-channel";
import type { Replica } from "./choose-replica";
import { requestWake, selectReadyReplicas } from "./queries";

const POLL_MS = 100;

/**
 * Wakes a version that sleeps, and waits until it can be called. None if it doesn't sleep, or isn't ready in time: then it goes on
 * starting for later calls.
 */
export async function wakeApp(
  platform: Platform,
  versionId: string,
  withinMs: number,
): Promise<readonly Replica[]> {
  const until = performance.now() + withinMs;
  if (!(await requestWake(platform.pool, versionId))) return [];
  await notifyStart(platform.db);
  for (;;) {
    const replicas = await selectReadyReplicas(platform.pool, versionId);
    if (replicas.length > 0 || performance.now() >= until) return replicas;
    await sleep(POLL_MS);
  }
}

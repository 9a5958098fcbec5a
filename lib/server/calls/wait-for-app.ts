/** Limits the calls that each app gets at once from this process, so that an app that hangs uses only its share. */
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/platform/problem";
import { notifyStart } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { createShare, type Place, type Share } from "../platform/requests/share";
import type { Replica } from "./choose-replica";
import { requestWake, selectReadyReplicas } from "./route-queries";

/** Long enough for a burst. A core that waits for an answer is better off with a refusal than with a long wait. */
const LONGEST_WAIT_MS = 1_000;

interface AppShare extends Share {
  /** How many replicas its places are for. */
  replicas: number;
}

/** By version. */
type AppShares = Map<string, AppShare>;

declare module "../platform/platform" {
  interface Services {
    appShares: AppShares;
  }
}

export function createAppShares(): AppShares {
  return new Map();
}

/**
 * A place at a version's app, which its customers share in turn: each replica adds as many. Throws APP_BUSY.
 * @param replicas how many are ready
 * @param gone aborted when the caller is gone
 */
export async function enterApp(
  platform: Platform,
  versionId: string,
  installationId: string,
  replicas: number,
  gone?: AbortSignal,
): Promise<Place> {
  const shares = platform.services.appShares;
  const share = shares.get(versionId) ?? openShare(platform.environment.PLATFORM_APP_CALLS);
  shares.set(versionId, share);
  share.replicas = Math.max(1, replicas);
  const entry = await share.enter(installationId, gone);
  const forget = () =>
    share.count().keys === 0 && shares.get(versionId) === share && shares.delete(versionId);
  if ("leave" in entry)
    return {
      waitedMs: entry.waitedMs,
      leave: () => {
        entry.leave();
        forget();
      },
    };
  forget();
  throw new Problem(
    "APP_BUSY",
    "The app is busy with other calls, so this one was not sent to it. Try again in a moment.",
    [],
    entry.retryAfterSeconds,
  );
}

/** Of each app's places and queue, a customer gets half: one that floods an app leaves room for the others. */
function openShare(perReplica: number): AppShare {
  const total = (): number => perReplica * share.replicas;
  const share: AppShare = {
    ...createShare({
      total,
      perKey: () => Math.ceil(total() / 2),
      queue: perReplica * 2,
      queuePerKey: perReplica,
      longestWaitMs: LONGEST_WAIT_MS,
    }),
    replicas: 1,
  };
  return share;
}

const POLL_MS = 100;

/**
 * Wakes a version that sleeps, and waits until it can be called. None if it doesn't sleep, or isn't ready in time: then it continues
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

/** Wakes an app that sleeps, and limits the calls that each gets at once from this process: one that hangs uses only its share. */
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/platform/problem";
import { notifyStart } from "../platform/database/work-channel";
import { divideByPeers } from "../platform/part-beats";
import type { Platform } from "../platform/platform";
import { createShare, type Place, type Share } from "../platform/requests/share";
import type { Replica } from "./choose-replica";
import { requestWake, selectReadyReplicas } from "./route-queries";

/** A call that waited longer reads the addresses again, because the app may have restarted at others. */
const ADDRESS_MS = 250;

interface ReadyApp extends Place {
  replicas: readonly Replica[];
  /** How long the app took to wake; 0 if it was awake. */
  wokenMs: number;
}

/**
 * An app that can be called now. The caller must leave it. Throws APP_BUSY.
 * @param wakeMs how long the call may wait for it to wake
 */
export async function waitForApp(
  platform: Platform,
  route: { versionId: string; installationId: string; replicas: readonly Replica[] },
  wakeMs: number,
): Promise<ReadyApp> {
  const { versionId, installationId } = route;
  const askedMs = performance.now();
  const isAwake = route.replicas.length > 0;
  const ready = isAwake ? route.replicas : await wakeApp(platform, versionId, wakeMs);
  const wokenMs = isAwake ? 0 : performance.now() - askedMs;
  const place = await enterApp(platform, versionId, installationId, ready.length);
  if (place.waitedMs <= ADDRESS_MS) return { ...place, wokenMs, replicas: ready };
  try {
    return { ...place, wokenMs, replicas: await selectReadyReplicas(platform.pool, versionId) };
  } catch (error) {
    place.leave();
    throw error;
  }
}

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
  const total = (): number => divideByPeers(perReplica * share.replicas);
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

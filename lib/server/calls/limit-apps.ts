/** Limits the calls that each app gets at once from this process, so that an app that hangs takes no more than its share. */
import { Problem } from "@/lib/contract/problem";
import { createShare, type Place, type Share } from "../limits/share";
import type { Platform } from "../platform/platform";

/** Long enough for a burst. A core that waits for an answer is better off with a refusal than with a long wait. */
const LONGEST_WAIT_MS = 1_000;

interface AppShare extends Share {
  /** How many replicas its places are for. */
  replicas: number;
}

const byPlatform = new WeakMap<Platform, Map<string, AppShare>>();

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
  let shares = byPlatform.get(platform);
  if (shares === undefined) byPlatform.set(platform, (shares = new Map()));
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

import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { selectProcesses } from "./queries";
import { replaceInstance } from "./replace-instance";

/** After a move that failed, such as on an engine that cannot build images. So few failures don't make a crash loop. */
const PAUSE_MS = 10 * 60_000;

/**
 * Moves example apps that run as processes to containers, once an engine responds and containers can reach what the apps
 * need. Only the demo on one machine has such apps, with one worker.
 */
export function createMover(platform: Platform, runtimes: Runtimes): () => Promise<void> {
  const pausedUntil = new Map<string, number>();
  let moving = false;
  return async () => {
    if (moving || !platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS) return;
    moving = true;
    try {
      const found = await selectProcesses(platform.db);
      const due = found.filter(({ versionId }) => (pausedUntil.get(versionId) ?? 0) < Date.now());
      const target = due.length === 0 ? undefined : await runtimes.findIsolating();
      if (target === undefined) return;
      for (const instance of due) {
        const why = { code: "MOVED", reason: "It moved to a container." } as const;
        await replaceInstance(platform, target, instance, why).catch((error: unknown) => {
          pausedUntil.set(instance.versionId, Date.now() + PAUSE_MS);
          platform.log.warn({ err: error, versionId: instance.versionId }, "instance could not be moved");
        });
      }
    } finally {
      moving = false;
    }
  };
}

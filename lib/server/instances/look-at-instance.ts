import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { checkInstance, endIfExited } from "./check-instances";
import { selectInstance } from "./queries";

/** Its connections end a moment before its engine reports that it exited. */
const EXIT_LOOKS_MS = [0, 50, 150, 300, 500] as const;
const CHECK_AGAIN_MS = 1_000;
const MOST_CHECKS = 10;

/**
 * Checks an instance because a call to it failed; many calls share one check. Resolves to whether it is gone. If it
 * still runs, its health is checked at once, and every second until it is healthy or ended, instead of at the next
 * regular check.
 * @param onEnd called when it was found to be gone
 */
export function createInstanceLook(
  platform: Platform,
  runtimes: Runtimes,
  onEnd: () => void,
): (instanceId: string) => Promise<boolean> {
  const looking = new Map<string, Promise<boolean>>();
  const checking = new Set<string>();

  async function look(id: string): Promise<boolean> {
    for (const wait of EXIT_LOOKS_MS) {
      if (wait > 0) await sleep(wait);
      if (await isGone(platform, runtimes, id)) {
        onEnd();
        return true;
      }
    }
    void check(id).catch((error: unknown) =>
      platform.log.warn({ err: error }, "an instance could not be checked"),
    );
    return false;
  }

  async function check(id: string): Promise<void> {
    if (checking.has(id)) return;
    checking.add(id);
    try {
      for (let checks = 1; checks <= MOST_CHECKS; checks += 1) {
        const instance = await selectInstance(platform.db, id);
        if (instance?.state !== "READY") return onEnd();
        if (await checkInstance(platform, runtimes, instance)) return;
        await sleep(CHECK_AGAIN_MS);
      }
    } finally {
      checking.delete(id);
    }
  }

  return (id) => {
    let found = looking.get(id);
    if (found === undefined) {
      found = look(id).finally(() => looking.delete(id));
      looking.set(id, found);
    }
    return found;
  };
}

async function isGone(platform: Platform, runtimes: Runtimes, id: string): Promise<boolean> {
  const instance = await selectInstance(platform.db, id);
  return instance?.state !== "READY" || endIfExited(platform, runtimes, instance);
}

import type { Platform } from "../platform/platform";
import { drainInstances } from "./replica-queries";
import { putToSleep } from "./sleep-queries";

/** Stops versions that nothing called for a while. Their calls in progress finish, and the next call starts them again. */
export async function sleepIdle(platform: Platform): Promise<void> {
  const { PLATFORM_SLEEP_MINUTES: minutes, PLATFORM_SLEEP_PRODUCTION: production } = platform.environment;
  if (minutes === 0) return;
  await platform.db.transaction(async (tx) => {
    for (const versionId of await putToSleep(tx, { minutes, production })) {
      await drainInstances(tx, versionId, {
        code: "ASLEEP",
        reason: `Nothing called the app for ${minutes} minutes. The next call starts it.`,
      });
      platform.log.info({ versionId }, "version sleeps");
    }
  });
}

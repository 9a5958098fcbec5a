import { scrubRevisions } from "@/lib/server/configurations/scrub-revisions";
import { listenForWork } from "@/lib/server/database/listen-for-work";
import {
  claimDueDeliveries,
  DELIVERY_BOUND,
  sendDelivery,
} from "@/lib/server/deliveries/send-due-deliveries";
import {
  ADVANCE_BOUND,
  advanceInstallation,
  claimMovingInstallations,
} from "@/lib/server/installations/work/advance-installations";
import { CHECK_SECONDS, checkInstances } from "@/lib/server/instances/check-instances";
import { closeInstances, reconcileInstances } from "@/lib/server/instances/reconcile-instances";
import { restoreInstances } from "@/lib/server/installations/work/restore-instances";
import type { Platform } from "@/lib/server/platform/platform";
import type { Runtimes } from "@/lib/server/runtimes/choose-runtime";
import { advanceUpgrade, claimUpgrades, UPGRADE_BOUND } from "@/lib/server/upgrades/advance-upgrades";
import { createPool } from "./pool";

/** A wake-up that was lost costs this long at most. */
const POLL_MS = 1_000;
const RESTORE_MS = 5_000;
const SCRUB_MS = 60_000;
const DRAIN_MS = 22_000;

export interface Worker {
  /** Claims no more, waits for what is under way, and ends what cannot outlive this process. */
  end(): Promise<void>;
}

/** All that a worker does, over and over. No fault ends it: what could not be done is done when the cause is gone. */
export function runWorker(platform: Platform, runtimes: Runtimes): Worker {
  const onError = (error: unknown) =>
    platform.log.error({ err: error }, "work failed and will be retried");
  const deliveries = createPool({
    bound: DELIVERY_BOUND,
    claim: (limit) => claimDueDeliveries(platform, limit),
    run: (delivery) => sendDelivery(platform, delivery),
    onError,
  });
  const installations = createPool({
    bound: ADVANCE_BOUND,
    claim: (limit) => claimMovingInstallations(platform, limit),
    run: (installation) => advanceInstallation(platform, runtimes, installation),
    onError,
  });
  const upgrades = createPool({
    bound: UPGRADE_BOUND,
    claim: (limit) => claimUpgrades(platform, limit),
    run: (upgrade) => advanceUpgrade(platform, runtimes, upgrade),
    onError,
  });
  const wake = () => {
    deliveries.wake();
    installations.wake();
    upgrades.wake();
  };

  const reconcile = repeatUntilDone(async () => {
    await reconcileInstances(platform, runtimes);
    await restoreInstances(platform, runtimes);
  }, onError);
  const stopListening = listenForWork(platform, wake);
  const timers = [
    setInterval(wake, POLL_MS),
    setInterval(() => void checkInstances(platform, runtimes).catch(onError), CHECK_SECONDS * 1000),
    // Not one after the other: an app that takes a minute to start does not keep others from it.
    setInterval(() => void restoreInstances(platform, runtimes).catch(onError), RESTORE_MS),
    setInterval(() => void scrubRevisions(platform).catch(onError), SCRUB_MS),
  ];

  return {
    end: async () => {
      timers.forEach((timer) => clearInterval(timer));
      reconcile.end();
      stopListening();
      await within(DRAIN_MS, Promise.all([deliveries.drain(), installations.drain(), upgrades.drain()]));
      await closeInstances(platform, runtimes);
    },
  };
}

/** The database may be away when a worker starts. */
function repeatUntilDone(work: () => Promise<void>, onError: (error: unknown) => void): { end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const attempt = () => {
    work().catch((error: unknown) => {
      onError(error);
      timer = setTimeout(attempt, RESTORE_MS);
    });
  };
  attempt();
  return { end: () => clearTimeout(timer) };
}

/** What is not done by then is left to its lease. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

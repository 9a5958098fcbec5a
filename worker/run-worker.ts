import { scrubRevisions } from "@/lib/server/configurations/scrub-revisions";
import { listenForWork } from "@/lib/server/database/work-channel";
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
import { CHECK_SECONDS, checkInstances, endExited } from "@/lib/server/instances/check-instances";
import { createMover } from "@/lib/server/instances/move-to-containers";
import { closeInstances, reconcileInstances } from "@/lib/server/instances/reconcile-instances";
import { restoreInstances } from "@/lib/server/installations/work/restore-instances";
import {
  claimDueExcerpts,
  EXCERPT_BOUND,
  fileFailures,
  readExcerpt,
} from "@/lib/server/log-excerpts/read-excerpts";
import type { Platform } from "@/lib/server/platform/platform";
import { removeOldRecords } from "@/lib/server/retention/remove-old-records";
import type { Runtimes } from "@/lib/server/runtimes/choose-runtime";
import { advanceUpgrade, claimUpgrades, UPGRADE_BOUND } from "@/lib/server/upgrades/advance-upgrades";
import { createPool } from "./pool";

/** The longest delay if a notification is lost. */
const POLL_MS = 1_000;
const RESTORE_MS = 2_000;
const MOVE_MS = 5_000;
const SCRUB_MS = 60_000;
const RETENTION_MS = 10 * 60_000;
const FILE_MS = 5_000;
const DRAIN_MS = 22_000;

export interface Worker {
  /** Claims no more work, waits for work in progress, and stops what cannot outlive this process. */
  end(): Promise<void>;
}

/** Everything a worker does. No error ends it: failed work is retried until it succeeds. */
export function runWorker(platform: Platform, runtimes: Runtimes): Worker {
  const onError = (error: unknown) => platform.log.error({ err: error }, "work failed and will be retried");
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
  const excerpts = createPool({
    bound: EXCERPT_BOUND,
    claim: (limit) => claimDueExcerpts(platform, limit),
    run: (excerpt) => readExcerpt(platform, runtimes, excerpt),
    onError,
  });
  const wake = () => {
    deliveries.wake();
    excerpts.wake();
    installations.wake();
    upgrades.wake();
  };

  const reconcile = repeatUntilDone(async () => {
    await reconcileInstances(platform, runtimes);
    await restoreInstances(platform, runtimes);
  }, onError);
  // A crash is recorded and the app restarted when it happens, not at the next check.
  const handleExit = async (handle: string) => {
    await endExited(platform, runtimes, handle);
    await restoreInstances(platform, runtimes);
  };
  const stopWatching = runtimes.all.map((runtime) =>
    runtime.watchExits((handle) => void handleExit(handle).catch(onError)),
  );
  const stopListening = listenForWork(platform, wake);
  const moveToContainers = createMover(platform, runtimes);
  const ending = new AbortController();
  const removeOld = () => removeOldRecords(platform, { signal: ending.signal });
  const timers = [
    setInterval(wake, POLL_MS),
    setInterval(() => void checkInstances(platform, runtimes).catch(onError), CHECK_SECONDS * 1000),
    // Runs may overlap, so that an app that takes a minute to start does not delay others.
    setInterval(() => void restoreInstances(platform, runtimes).catch(onError), RESTORE_MS),
    setInterval(() => void moveToContainers().catch(onError), MOVE_MS),
    setInterval(() => void scrubRevisions(platform).catch(onError), SCRUB_MS),
    setInterval(() => void removeOld().catch(onError), RETENTION_MS),
    setInterval(() => void fileFailures(platform).catch(onError), FILE_MS),
  ];

  return {
    end: async () => {
      ending.abort();
      timers.forEach((timer) => clearInterval(timer));
      reconcile.end();
      stopWatching.forEach((stop) => stop());
      stopListening();
      await within(DRAIN_MS, Promise.all([deliveries.drain(), installations.drain(), upgrades.drain()]));
      await closeInstances(platform, runtimes);
    },
  };
}

/** The database may be unavailable when a worker starts. */
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

/** Stops waiting after `ms`. Unfinished work is retried when its lease expires. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

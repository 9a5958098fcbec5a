import { tellExpiringKeys } from "@/lib/server/accounts/credentials/manage-api-keys";
import { deliveryPool } from "@/lib/server/calls/deliveries/delivery-pool";
import { countHours } from "@/lib/server/insight/call-log/count-hours";
import { createSampler } from "@/lib/server/insight/health/sample-instances";
import { excerptPool, fileFailures } from "@/lib/server/insight/logs/read-excerpts";
import { scrubRevisions } from "@/lib/server/installations/configurations/earlier-revisions";
import { installationPool } from "@/lib/server/installations/work/advance-installations";
import { upgradePool } from "@/lib/server/installations/work/advance-upgrades";
import { checkPool } from "@/lib/server/installations/work/check-configurations";
import { restoreInstances } from "@/lib/server/installations/work/restore-instances";
import { evidencePool } from "@/lib/server/moderation/evidence/evidence-pool";
import { listenForWork } from "@/lib/server/platform/database/work-channel";
import { type Pool, runPool } from "@/lib/server/platform/lease-loop";
import type { Leased } from "@/lib/server/platform/lease-queries";
import { endOldMails, mailPool } from "@/lib/server/platform/notifications/mail-pool";
import type { Platform } from "@/lib/server/platform/platform";
import { createPresence, endLeasesOfDeadWorkers } from "@/lib/server/platform/presence";
import {
  CHECK_SECONDS,
  checkInstances,
  createInstanceLook,
  endExited,
} from "@/lib/server/runtime/check-instances";
import { createIsolationChecker } from "@/lib/server/runtime/check-isolation";
import { createMover, drainInstances, sleepIdle } from "@/lib/server/runtime/drain-instances";
import type { Runtimes } from "@/lib/server/runtime/engines/choose-runtime";
import { logPool } from "@/lib/server/runtime/logs/follow-log";
import { closeInstances, reconcileInstances, stopUnneeded } from "@/lib/server/runtime/reconcile-instances";
import { removeStrays, removeUnusedImages } from "@/lib/server/runtime/remove-strays";
import { removeOldRecords } from "@/lib/server/surface/remove-old-records";

/** The longest delay if a notification is lost. */
const POLL_MS = 1_000;
const RESTORE_MS = 2_000;
const MOVE_MS = 5_000;
const SCRUB_MS = 60_000;
const UNNEEDED_MS = 60_000;
const STRAYS_MS = 5_000;
const RETENTION_MS = 10 * 60_000;
const COUNT_MS = 60_000;
const FILE_MS = 5_000;
const DRAIN_MS = 22_000;
const LOGS_MS = 2_000;
const ISOLATION_MS = 2_000;

export interface Worker {
  /** Claims no more work, waits for work in progress, and stops what cannot outlive this process. */
  end(): Promise<void>;
}

/** Everything a worker does. No error ends it: failed work is retried until it succeeds. */
export function runWorker(platform: Platform, runtimes: Runtimes): Worker {
  const onError = (error: unknown) => platform.log.error({ err: error }, "work failed and will be retried");
  const restore = () => restoreInstances(platform, runtimes);
  const lookAtInstance = createInstanceLook(platform, runtimes, () => void restore().catch(onError));
  const sending = mailPool(platform);
  const presence = createPresence(platform);
  const run = <Item extends Leased>(pool: Pool<Item>) => runPool(platform, pool, presence.workerId);
  const leaving = new AbortController();
  const logs = run(logPool(platform, runtimes, leaving.signal));
  const loops = [
    ...(sending === undefined ? [] : [run(sending)]),
    run(deliveryPool(platform, lookAtInstance)),
    run(installationPool(platform, runtimes)),
    run(upgradePool(platform, runtimes)),
    run(excerptPool(platform, runtimes)),
    run(evidencePool(platform, runtimes)),
    run(checkPool(platform, runtimes)),
  ];
  const wake = () => [...loops, logs].forEach((loop) => loop.wake());

  const reconcile = repeatUntilDone(async () => {
    await reconcileInstances(platform, runtimes);
    await restore();
  }, onError);
  // A crash is recorded and the app restarted when it happens, not at the next check.
  const handleExit = async (handle: string) => {
    await endExited(platform, runtimes, handle);
    await restore();
  };
  const watches = runtimes.all.map((runtime) =>
    runtime.watchExits((handle) => void handleExit(handle).catch(onError)),
  );
  const look = (instanceId: string) => void lookAtInstance(instanceId).catch(onError);
  const stopListening = listenForWork(platform, {
    wake,
    look,
    start: () => void restore().catch(onError),
    connected: (connection) => void presence.keep(connection),
  });
  const takeOver = () => endLeasesOfDeadWorkers(platform, presence.workerId());
  const moveToContainers = createMover(platform, runtimes);
  const checkIsolation = createIsolationChecker(platform, runtimes);
  const ending = new AbortController();
  const removeOld = () => removeOldRecords(platform, { signal: ending.signal });
  const count = () => countHours(platform, { signal: ending.signal });
  const sample = createSampler(platform, runtimes);
  const timers = [
    setInterval(wake, POLL_MS),
    setInterval(() => void takeOver().catch(onError), POLL_MS),
    setInterval(() => void checkInstances(platform, runtimes).catch(onError), CHECK_SECONDS * 1000),
    // Runs may overlap, so that an app that takes a minute to start does not delay others.
    setInterval(() => void restore().catch(onError), RESTORE_MS),
    setInterval(() => void drainInstances(platform, runtimes).catch(onError), RESTORE_MS),
    setInterval(() => void sleepIdle(platform).catch(onError), UNNEEDED_MS),
    // Nothing happens when an app that was only started for a check is no longer needed.
    setInterval(() => void stopUnneeded(platform, runtimes).catch(onError), UNNEEDED_MS),
    setInterval(() => void removeStrays(platform, runtimes).catch(onError), STRAYS_MS),
    setInterval(() => void removeUnusedImages(platform, runtimes).catch(onError), RETENTION_MS),
    setInterval(() => void moveToContainers().catch(onError), MOVE_MS),
    setInterval(() => void scrubRevisions(platform).catch(onError), SCRUB_MS),
    setInterval(() => void tellExpiringKeys(platform).catch(onError), RETENTION_MS),
    setInterval(() => void endOldMails(platform).catch(onError), RETENTION_MS),
    setInterval(() => void removeOld().catch(onError), RETENTION_MS),
    setInterval(() => void count().catch(onError), COUNT_MS),
    setInterval(() => void fileFailures(platform).catch(onError), FILE_MS),
    setInterval(() => void checkIsolation().catch(onError), ISOLATION_MS),
    setInterval(() => void sample().catch(onError), platform.environment.PLATFORM_METRICS_SECONDS * 1000),
  ];

  return {
    end: async () => {
      ending.abort();
      timers.forEach((timer) => clearInterval(timer));
      reconcile.end();
      watches.forEach((watch) => watch.stop());
      await within(DRAIN_MS, Promise.all(loops.map((loop) => loop.drain())));
      // This connection says that the worker is alive: without it, others would take over what is still in progress.
      stopListening();
      await closeInstances(platform, runtimes);
      // After the last words of the apps that end with this process.
      leaving.abort();
      await within(LOGS_MS, logs.drain());
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

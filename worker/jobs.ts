import { tellExpiringKeys } from "@/lib/server/accounts/credentials/manage-api-keys";
import { domainPool } from "@/lib/server/accounts/domains/check-domain";
import { deliveryPool } from "@/lib/server/calls/deliveries/delivery-pool";
import { countHours } from "@/lib/server/insight/call-log/count-hours";
import { countListingDays } from "@/lib/server/insight/health/listing-figures";
import { sampleInstances } from "@/lib/server/insight/health/sample-instances";
import { excerptPool, fileFailures } from "@/lib/server/insight/logs/read-excerpts";
import { scrubRevisions } from "@/lib/server/installations/configurations/earlier-revisions";
import { endOutdatedRequests } from "@/lib/server/installations/requests/decide-request";
import { endTrials } from "@/lib/server/installations/trials";
import { installationPool } from "@/lib/server/installations/work/advance-installations";
import { upgradePool } from "@/lib/server/installations/work/advance-upgrades";
import { checkPool } from "@/lib/server/installations/work/check-configurations";
import { restoreInstances } from "@/lib/server/installations/work/restore-instances";
import { evidencePool } from "@/lib/server/moderation/evidence/evidence-pool";
import { createCheckpointWriter } from "@/lib/server/platform/audit-checkpoints";
import { type Job, type Pool, runPool } from "@/lib/server/platform/lease-loop";
import type { Leased } from "@/lib/server/platform/lease-queries";
import { endOldMails, mailPool } from "@/lib/server/platform/notifications/mail-pool";
import type { Platform } from "@/lib/server/platform/platform";
import { endLeasesOfDeadWorkers } from "@/lib/server/platform/presence";
import { CHECK_SECONDS, checkInstances } from "@/lib/server/runtime/check-instances";
import { createIsolationChecker } from "@/lib/server/runtime/check-isolation";
import { createMover, drainInstances, sleepIdle } from "@/lib/server/runtime/drain-instances";
import { createEgressKeeper, hasGuard } from "@/lib/server/runtime/egress";
import type { Runtimes } from "@/lib/server/runtime/engines/choose-runtime";
import {
  reconcileInstances,
  removeStrays,
  removeUnusedImages,
  stopUnneeded,
} from "@/lib/server/runtime/reconcile-instances";
import { loadReport, scaleBusy } from "@/lib/server/runtime/scale-busy";
import { removeOldRecords } from "@/lib/server/surface/remove-old-records";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Of jobs that start apps, load images, or go through what a year has left. */
const LONG_MS = 20 * MINUTE;

interface Around {
  workerId: () => number | null;
  /** Looks at an instance because a call to it failed. */
  look: (instanceId: string) => Promise<boolean>;
  /** Aborted when the worker ends. Long jobs stop after their current step. */
  ending: AbortSignal;
}

/** All jobs of a worker. Several workers share them: each job claims or locks what it works on. */
export function listJobs(platform: Platform, runtimes: Runtimes, { workerId, look, ending }: Around): Job[] {
  const queue = <Item extends Leased>(pool: Pool<Item>) => createQueue(platform, pool, workerId);
  const mails = mailPool(platform);
  const metricsMs = platform.environment.PLATFORM_METRICS_SECONDS * SECOND;
  const checkIsolation = createIsolationChecker(platform, runtimes);
  const moveToContainers = createMover(platform, runtimes);
  const checkpointMs = platform.environment.PLATFORM_CHECKPOINT_MINUTES * MINUTE;
  const writeCheckpoints = createCheckpointWriter(platform, checkpointMs);
  return [
    ...(mails === undefined ? [] : [queue(mails)]),
    queue(deliveryPool(platform, look)),
    queue(installationPool(platform, runtimes)),
    queue(upgradePool(platform, runtimes)),
    queue(excerptPool(platform, runtimes)),
    queue(evidencePool(platform, runtimes)),
    queue(checkPool(platform, runtimes)),
    queue(domainPool(platform)),
    { name: "take over", everyMs: SECOND, run: () => endLeasesOfDeadWorkers(platform, workerId()) },

    // The database may be unavailable when a worker starts.
    {
      name: "reconcile",
      everyMs: 2 * SECOND,
      alone: true,
      untilDone: true,
      longestMs: LONG_MS,
      run: reconcile,
    },
    // Runs overlap, so that an app that takes a minute to start does not delay others.
    { name: "restore", everyMs: 2 * SECOND, on: "start", run: restore },
    { name: "check health", everyMs: CHECK_SECONDS * SECOND, run: () => checkInstances(platform, runtimes) },
    loadReport(platform),
    { name: "scale", everyMs: 5 * SECOND, alone: true, run: () => scaleBusy(platform) },
    { name: "drain", everyMs: 2 * SECOND, run: () => drainInstances(platform, runtimes) },
    { name: "sleep", everyMs: MINUTE, run: () => sleepIdle(platform) },
    // Nothing happens when an app that was only started for a check is no longer needed.
    { name: "stop unneeded", everyMs: MINUTE, run: () => stopUnneeded(platform, runtimes) },
    { name: "move", everyMs: 5 * SECOND, alone: true, longestMs: LONG_MS, run: moveToContainers },
    { name: "remove strays", everyMs: 5 * SECOND, run: () => removeStrays(platform, runtimes) },
    ...runtimes.all.flatMap(({ name, putBack }) =>
      putBack === undefined
        ? []
        : [
            {
              name: `put back (${name})`,
              everyMs: 2 * MINUTE,
              alone: true,
              longestMs: LONG_MS,
              run: putBack,
            },
          ],
    ),
    {
      name: "remove images",
      everyMs: 10 * MINUTE,
      longestMs: LONG_MS,
      run: () => removeUnusedImages(platform, runtimes),
    },
    { name: "check isolation", everyMs: 2 * SECOND, alone: true, longestMs: LONG_MS, run: checkIsolation },

    ...(hasGuard(runtimes)
      ? [
          {
            name: "egress",
            // Not for each event: what a launch, an upgrade or a check needs is in force before the app is called.
            everyMs: SECOND,
            alone: true,
            run: createEgressKeeper(platform, runtimes),
          },
        ]
      : []),

    // A round that an engine delays takes the place of the next.
    { name: "sample", everyMs: metricsMs, alone: true, run: () => sampleInstances(platform, runtimes) },
    { name: "request logs", everyMs: 5 * SECOND, run: () => fileFailures(platform) },
    {
      name: "count calls",
      everyMs: MINUTE,
      alone: true,
      longestMs: LONG_MS,
      run: () => countHours(platform, { signal: ending }),
    },
    {
      name: "count days of listings",
      everyMs: 2 * MINUTE,
      alone: true,
      longestMs: LONG_MS,
      run: () => countListingDays(platform, { signal: ending }),
    },
    { name: "scrub", everyMs: MINUTE, run: () => scrubRevisions(platform) },
    { name: "end trials", everyMs: MINUTE, alone: true, run: () => endTrials(platform) },
    { name: "end requests", everyMs: MINUTE, alone: true, run: () => endOutdatedRequests(platform) },
    { name: "tell of keys", everyMs: 10 * MINUTE, run: () => tellExpiringKeys(platform) },
    { name: "audit checkpoints", everyMs: MINUTE, alone: true, run: writeCheckpoints },
    { name: "end mails", everyMs: 10 * MINUTE, run: () => endOldMails(platform) },
    { name: "retention", everyMs: 10 * MINUTE, alone: true, longestMs: LONG_MS, run: removeOld },
  ];

  function restore(): Promise<void> {
    return restoreInstances(platform, runtimes);
  }
  async function reconcile(): Promise<void> {
    await reconcileInstances(platform, runtimes);
    await restore();
  }
  function removeOld() {
    return removeOldRecords(platform, { signal: ending });
  }
}

/** The job of a pool. The period is the longest delay if a notification is lost. */
export function createQueue<Item extends Leased>(
  platform: Platform,
  pool: Pool<Item>,
  workerId: () => number | null,
): Job {
  const { wake, drain, isStuck } = runPool(platform, pool, workerId);
  return { name: pool.name, everyMs: SECOND, on: "work", run: wake, drain, isStuck };
}

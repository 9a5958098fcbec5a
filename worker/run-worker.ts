import { setTimeout as sleep } from "node:timers/promises";
import { listenForWork } from "@/lib/server/platform/database/work-channel";
import { type Job, repeat, reportFailed } from "@/lib/server/platform/lease-loop";
import { keepBeating } from "@/lib/server/platform/part-beats";
import type { Platform } from "@/lib/server/platform/platform";
import { reportSuccess } from "@/lib/server/platform/database/repeated-failures";
import { createPresence } from "@/lib/server/platform/presence";
import { createInstanceLook, followChange } from "@/lib/server/runtime/check-instances";
import type { Runtimes } from "@/lib/server/runtime/engines/choose-runtime";
import { logPool } from "@/lib/server/runtime/logs/follow-log";
import { closeInstances } from "@/lib/server/runtime/reconcile-instances";
import { isOnHold, ON_HOLD } from "@/lib/server/platform/hold-queries";
import { createQueue, listJobs } from "./jobs";

const DRAIN_MS = 22_000;
const LOGS_MS = 2_000;

export interface Worker {
  /** Claims no more work, waits for work in progress, and stops what cannot outlive this process. */
  end(): Promise<void>;
  /** The state API has another address: replaces the instances that have the old one. */
  followStateApi(): void;
  /** The names of the loops that make no progress. */
  listStuck(): string[];
}

const HOLD_MS = 2_000;

/**
 * Starts all jobs, unless the database was restored from a backup and nobody has said yet that the original doesn't run anymore. Then
 * waits for that, and does nothing until then.
 */
export function startWorker(platform: Platform, runtimes: Runtimes, everyMs = HOLD_MS): Worker {
  const ending = new AbortController();
  let worker: Worker | undefined;
  const starting = waitForRelease(platform, ending.signal, everyMs).then(() => {
    if (!ending.signal.aborted) worker = runWorker(platform, runtimes);
  });
  const listStuck = () => worker?.listStuck() ?? [];
  // Also while it is on hold: it is there, and does nothing on purpose.
  const beats = keepBeating(platform, "worker", () => listStuck().length === 0);
  return {
    listStuck,
    followStateApi: () => worker?.followStateApi(),
    end: async () => {
      ending.abort();
      beats.stop();
      await starting;
      await worker?.end();
    },
  };
}

async function waitForRelease(
  { db, log }: Pick<Platform, "db" | "log">,
  signal: AbortSignal,
  everyMs: number,
): Promise<void> {
  for (let isReported = false; !signal.aborted;) {
    // Without the database, there is nothing to do either.
    const isHeld = await isOnHold(db).catch((error: unknown) => {
      reportFailed(log, "wait for the release", error);
    });
    if (isHeld !== undefined) reportSuccess(log, "wait for the release");
    if (isHeld === false) return;
    if (isHeld === true && !isReported) log.warn({ onHold: true }, ON_HOLD);
    isReported ||= isHeld === true;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Starts all jobs. No error ends the worker: failed work is retried until it succeeds. */
export function runWorker(platform: Platform, runtimes: Runtimes): Worker {
  const attempt = (name: string, work: Promise<unknown>) =>
    void work.catch((error: unknown) => reportFailed(platform.log, name, error));
  const { workerId, keep, announce, leave } = createPresence(platform);
  const [ending, leaving] = [new AbortController(), new AbortController()];
  const look = createInstanceLook(platform, runtimes, () => wake("start"));
  const jobs = listJobs(platform, runtimes, { workerId, look, ending: ending.signal });
  const logs = createQueue(platform, logPool(platform, runtimes, leaving.signal), workerId);
  const all = [...jobs, logs];
  const repeated = all.map((job) => ({ name: job.name, on: job.on, ...repeat(platform, job) }));
  const listStuck = () => repeated.flatMap(({ name, isStuck }) => (isStuck() ? [name] : []));

  function wake(on: Job["on"]): void {
    for (const job of repeated) if (job.on === on) void job.run();
  }
  // A crash is recorded and the app restarted when it happens, not at the next check.
  const handleChange = async (handle: string) => {
    await followChange(platform, runtimes, handle);
    wake("start");
  };
  const watches = runtimes.all.map((runtime) =>
    runtime.watchChanges((handle) => attempt("follow change", handleChange(handle))),
  );
  const stopListening = listenForWork(platform, {
    wake: () => wake("work"),
    look: (instanceId) => attempt("look", look(instanceId)),
    start: () => wake("start"),
    connected: (connection) => void keep(connection),
  });

  return {
    listStuck,
    followStateApi: () => {
      attempt("announce", announce());
      wake("start");
    },
    end: async () => {
      ending.abort();
      repeated.forEach(({ stop }) => stop());
      watches.forEach((watch) => watch.stop());
      await within(DRAIN_MS, Promise.all(jobs.map(({ drain }) => drain?.())));
      // This connection says that the worker is alive: without it, others would take over what is still in progress.
      stopListening();
      await closeInstances(platform, runtimes);
      // After the last words of the apps that end with this process.
      leaving.abort();
      await within(LOGS_MS, Promise.resolve(logs.drain?.()));
      await leave().catch((error: unknown) => reportFailed(platform.log, "leave", error));
    },
  };
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

import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { LONGEST_CALL_SECONDS } from "../calls/call-route";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "./engines/choose-runtime";
import type { Inspection, Runtime, Stopped } from "./engines/runtime";
import { describeStart, GRACE_SECONDS, requireVersion, startInstance } from "./ensure-instance";
import {
  claimDraining,
  type InstanceRow,
  keepLog,
  selectDrained,
  selectProcesses,
  selectReady,
} from "./instance-queries";
import {
  drainInstance,
  drainSurplus,
  drainVersion,
  endDrained,
  insertReplacement,
} from "./instance-state-queries";
import { finishLog } from "./logs/follow-log";
import { readLogTail } from "./logs/read-log-tail";
import { putToSleep } from "./scale-queries";

const LOOK_SECONDS = 1;

/**
 * Takes calls away from instances that their version doesn't need anymore, and ends those whose last call has finished.
 * @param longestCallSeconds synchronous calls are recorded when they end, so an instance is kept as long as they may take
 */
export async function drainInstances(
  platform: Platform,
  runtimes: Runtimes,
  longestCallSeconds = LONGEST_CALL_SECONDS,
): Promise<void> {
  for (const { versionId, replica } of await drainSurplus(
    platform.db,
    platform.environment.PLATFORM_APP_REPLICAS,
  ))
    platform.log.info({ versionId, replica }, "instance is drained");
  const claimed = await claimDraining(platform.db, LOOK_SECONDS);
  if (claimed.length === 0) return;
  const ids = claimed.map(({ id }) => id);
  const drained = await selectDrained(platform.db, ids, longestCallSeconds);
  await Promise.all(
    claimed.map(async (instance) => {
      if (drained.has(instance.id) || (await hasExited(runtimes, instance)))
        await endInstance(platform, runtimes, instance);
    }),
  );
}

async function hasExited(runtimes: Runtimes, instance: InstanceRow): Promise<boolean> {
  if (runtimes.byName(instance.runtime) === undefined || instance.handle === null) return true;
  return (await inspectInstance(runtimes, instance))?.running === false;
}

/** Undefined if nobody can tell, such as while its engine doesn't respond: then only health checks end it. */
export async function inspectInstance(
  runtimes: Runtimes,
  { runtime, handle }: InstanceRow,
): Promise<Inspection | undefined> {
  if (handle === null) return undefined;
  return runtimes
    .byName(runtime)
    ?.inspect(handle)
    .catch(() => undefined);
}

/** Its row ends after it: while the row is there, nobody takes it for a stray, and another worker can go on. */
async function endInstance(platform: Platform, runtimes: Runtimes, instance: InstanceRow): Promise<void> {
  const { id, handle, versionId } = instance;
  const runtime = runtimes.byName(instance.runtime);
  if (runtime === undefined || handle === null) {
    await endDrained(platform.db, id, "");
    return;
  }
  const logTail = await readLogTail(platform, runtime, handle, versionId);
  const stopped = await stopInstance(platform, runtime, instance);
  await endDrained(platform.db, id, logTail);
  await noteKilled(platform, instance, logTail, stopped);
}

/** Shown as the last line of the app's log. */
const IGNORED_SIGTERM = `\n[platform] The app did not end within ${GRACE_SECONDS} s of SIGTERM, so it was killed. End it on SIGTERM, or its requests in progress are cut off.\n`;

/** Ends what still runs of it, in bounded time. The caller has read the end of its log: afterwards there is none. */
export async function stopInstance(
  platform: Platform,
  runtime: Runtime,
  instance: InstanceRow,
): Promise<Stopped> {
  if (instance.handle === null) return "ended";
  await finishLog(platform, runtime, instance);
  return runtime.stop(instance.handle, GRACE_SECONDS);
}

/** A publisher learns that its app cuts off requests, however it was stopped. @param logTail the end of its log without that */
export async function noteKilled(
  platform: Platform,
  { id }: InstanceRow,
  logTail: string,
  stopped: Stopped,
): Promise<void> {
  if (stopped === "killed") await keepLog(platform.db, id, logTail.trimEnd() + IGNORED_SIGTERM);
}

/** Stops versions that nothing called for a while. Their calls in progress finish, and the next call starts them again. */
export async function sleepIdle(platform: Platform): Promise<void> {
  const { PLATFORM_SLEEP_MINUTES: minutes, PLATFORM_SLEEP_PRODUCTION: production } = platform.environment;
  if (minutes === 0) return;
  await platform.db.transaction(async (tx) => {
    for (const versionId of await putToSleep(tx, { minutes, production })) {
      await drainVersion(tx, versionId, {
        code: "ASLEEP",
        reason: `Nothing called the app for ${minutes} minutes. The next call starts it.`,
      });
      platform.log.info({ versionId }, "version sleeps");
    }
  });
}

/**
 * Starts another instance of the same version beside this one, and sends all calls there when it is ready: this one drains. False if it
 * ended, or another one of the version is starting. Throws an InstanceFailure if the new one doesn't become ready; this one keeps running.
 */
export async function replaceInstance(
  platform: Platform,
  runtime: Runtime,
  instance: InstanceRow,
  why: { code: ReasonCode; reason: string },
): Promise<boolean> {
  const version = await requireVersion(platform, instance.versionId);
  // Beyond the publisher's quota, because the old one gives its place back.
  const row = await platform.db.transaction((tx) =>
    insertReplacement(tx, instance, describeStart(platform, runtime)),
  );
  if (row === undefined) return false;
  await startInstance(platform, runtime, version, row, {
    onReady: (tx) => drainInstance(tx, instance.id, why),
  });
  platform.log.info(
    { versionId: instance.versionId, runtime: runtime.name, code: why.code },
    "instance replaced",
  );
  return true;
}

/**
 * Drains an instance that something other than the platform ends soon, such as the drain of its node, and starts its successor at once.
 * It is called only while no other one is ready. False if nothing ends it.
 */
export async function replaceLeaving(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
): Promise<boolean> {
  const runtime = runtimes.byName(instance.runtime);
  const inspection = await inspectInstance(runtimes, instance);
  if (runtime === undefined || inspection?.running !== true || inspection.leaving === undefined) return false;
  const why = { code: "EVICTED", reason: `The app ${inspection.leaving}.` } as const;
  // Beyond the publisher's quota, because the old one gives its place back.
  const row = await platform.db.transaction(async (tx) => {
    const successor = await insertReplacement(tx, instance, describeStart(platform, runtime));
    await drainInstance(tx, instance.id, why);
    return successor;
  });
  platform.log.info({ versionId: instance.versionId, reason: why.reason }, "instance leaves");
  // Without it, another one is starting already, and what is missing then is started as after any end.
  if (row !== undefined) {
    const version = await requireVersion(platform, instance.versionId);
    void startInstance(platform, runtime, version, row).catch((error: unknown) =>
      platform.log.warn({ err: error, versionId: row.versionId }, "a successor could not be started"),
    );
  }
  return true;
}

/** After a move that failed, such as on an engine that cannot build images. So few failures don't make a crash loop. */
const PAUSE_MS = 10 * 60_000;

const TO_GUARD = "It moved behind the egress guard.";
const FROM_GUARD = "It moved away from the egress guard, which was turned off.";

/**
 * Moves apps to where they are isolated better: example apps that run as processes to containers, once an engine responds and containers can
 * reach what the apps need (only the demo on one machine has such apps), and apps from before the egress guard behind it, or away from one that was
 * turned off. Call it once at a time.
 */
export function createMover(platform: Platform, runtimes: Runtimes): () => Promise<void> {
  const pausedUntil = new Map<string, number>();
  return async () => {
    const processes = platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS
      ? await selectProcesses(platform.db)
      : [];
    const mayMove =
      processes.length > 0 || runtimes.all.some((runtime) => runtime.listOnOtherWay !== undefined);
    const target = mayMove ? await runtimes.findIsolating() : undefined;
    if (target === undefined) return;
    const others = (await target.listOnOtherWay?.()) ?? [];
    const apart = others.length === 0 ? [] : await selectReady(platform.db, target.name, others);
    const isGuarded = target.refreshEgress !== undefined;
    const due = [
      ...processes.map((instance) => ({ instance, reason: "It moved to a container." })),
      ...apart.map((instance) => ({ instance, reason: isGuarded ? TO_GUARD : FROM_GUARD })),
    ].filter(({ instance }) => (pausedUntil.get(instance.versionId) ?? 0) < Date.now());
    for (const { instance, reason } of due) {
      const why = { code: "MOVED", reason } as const;
      await replaceInstance(platform, target, instance, why).catch((error: unknown) => {
        pausedUntil.set(instance.versionId, Date.now() + PAUSE_MS);
        platform.log.warn({ err: error, versionId: instance.versionId }, "instance could not be moved");
      });
    }
  };
}

import { Problem } from "@/lib/contract/platform/problem";
import { isAppFault } from "@/lib/contract/runtime/instance-reasons";
import { BACKOFF_MINUTES, mayBeCrashLoop, nextRestart } from "@/lib/domain/runtime/instance";
import { readVersionFacts, type VersionFacts } from "../../insight/health/read-health";
import { listStateApis } from "../../platform/environment";
import type { Platform } from "../../platform/platform";
import { reportFailure } from "../../platform/database/repeated-failures";
import { replaceInstance } from "../../runtime/drain-instances";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import { InstanceFailure } from "../../runtime/engines/runtime";
import { addInstance, ensureInstance, removeAbandonedStarts } from "../../runtime/ensure-instance";
import { parkIfLooping } from "../../runtime/instance-outcome";
import {
  countPlatformFailures,
  pruneInstances,
  selectInstance,
  selectUnmetDemands,
  type UnmetDemand,
} from "../../runtime/instance-queries";
import { noteNotStarted } from "../../runtime/instance-state-queries";
import { wakeForEvents } from "../../runtime/scale-queries";

/**
 * Starts the instances that versions with running installations should have and don't, and replaces those from before a restart that
 * somebody requested, and those that can't reach the state API anymore because its address changed. Concurrent calls are fine: an instance that is starting is not started again.
 *
 * A version that keeps failing is restarted with growing pauses, and parked if it crashes in a loop that no call can have
 * caused. Its installations stay `RUNNING` either way.
 */
export async function restoreInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  await removeAbandonedStarts(platform, runtimes);
  await wakeForEvents(platform.db);
  const { environment } = platform;
  const stateApis = listStateApis(environment);
  const demands = await selectUnmetDemands(platform.db, environment.PLATFORM_APP_REPLICAS, stateApis);
  const versionIds = demands.map(({ versionId }) => versionId);
  const facts = await readVersionFacts(platform.db, versionIds);
  const faults = await countPlatformFailures(platform.db, versionIds, BACKOFF_MINUTES);
  await Promise.all(
    demands.map(async (demand) => {
      const fault = faults.find(({ versionId }) => versionId === demand.versionId);
      if (fault !== undefined && isTooEarly({ ...fault, lastFailure: fault })) return;
      await restoreVersion(platform, runtimes, demand, facts.get(demand.versionId));
    }),
  );
}

/** What failed lately is started again with growing pauses, whoever is at fault. */
function isTooEarly(failures: Parameters<typeof nextRestart>[0], now = new Date()): boolean {
  const restartAt = nextRestart(failures);
  return restartAt !== undefined && restartAt > now;
}

async function restoreVersion(
  platform: Platform,
  runtimes: Runtimes,
  demand: UnmetDemand,
  facts: VersionFacts | undefined,
): Promise<void> {
  const { versionId } = demand;
  const now = new Date();
  if (facts?.parked !== undefined) return;
  if (facts !== undefined && mayBeCrashLoop(facts, now) && (await parkIfLooping(platform, versionId))) return;
  if (facts === undefined || !isTooEarly(facts, now)) await meetDemand(platform, runtimes, demand);
}

async function meetDemand(platform: Platform, runtimes: Runtimes, demand: UnmetDemand): Promise<void> {
  const { versionId, live, wanted } = demand;
  await pruneInstances(platform.db, versionId);
  try {
    // The first alone: if the app can't be started, that is found out once.
    if (live === 0) await ensureInstance(platform, runtimes, versionId);
    const missing = Array.from({ length: Math.max(0, wanted - Math.max(live, 1)) }, () =>
      addInstance(platform, runtimes, versionId, wanted),
    );
    await Promise.all([...missing, replaceOutdated(platform, runtimes, demand)]);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A later round tries again. What failed before there was an instance is recorded here.
    if (error instanceof InstanceFailure && !isAppFault(error.reasonCode))
      await noteNotStarted(platform.db, versionId, error.reasonCode, error.detail);
    reportFailure(platform.log, "restart apps", {
      err: error,
      level: "warn",
      message: "instance could not be restarted",
      facts: { versionId, reason: error.detail },
    });
  }
}

const STATE_API_MOVED = { code: "STATE_API_MOVED", reason: "The state API's address changed." } as const;
const RESTARTED = { code: "RESTARTED", reason: "The publisher restarted the app." } as const;

/** One at a time, so that a new one that fails costs no capacity. */
async function replaceOutdated(
  platform: Platform,
  runtimes: Runtimes,
  { outdatedId, lostStateApi, live, wanted }: UnmetDemand,
): Promise<void> {
  const instance =
    outdatedId === null || live < wanted ? undefined : await selectInstance(platform.db, outdatedId);
  const runtime = instance && runtimes.byName(instance.runtime);
  if (instance === undefined || runtime === undefined) return;
  await replaceInstance(platform, runtime, instance, lostStateApi ? STATE_API_MOVED : RESTARTED);
}

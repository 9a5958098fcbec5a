import { isAppFault } from "@/lib/contract/instance-reasons";
import { Problem } from "@/lib/contract/problem";
import { mayBeCrashLoop, nextRestart } from "@/lib/domain/crash-loop";
import { readVersionFacts, type VersionFacts } from "../../health/read-health";
import { ensureInstance, removeAbandonedStarts } from "../../instances/ensure-instance";
import { parkIfLooping } from "../../instances/park-version";
import { noteNotStarted, pruneInstances } from "../../instances/queries";
import type { Platform } from "../../platform/platform";
import type { Runtimes } from "../../runtimes/choose-runtime";
import { InstanceFailure } from "../../runtimes/instance-failure";
import { selectVersionsToRestore } from "./queries";

/**
 * Starts an instance for each version that has running installations but no live instance. Concurrent calls are fine: a
 * version whose instance is starting is not restored again.
 *
 * A version that keeps failing is restarted with growing pauses, and parked if it crashes in a loop that no call can have
 * caused. Its installations stay `RUNNING` either way.
 */
export async function restoreInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  await removeAbandonedStarts(platform, runtimes);
  const versionIds = await selectVersionsToRestore(platform.db);
  const facts = await readVersionFacts(platform.db, versionIds);
  await Promise.all(
    versionIds.map((versionId) => restoreVersion(platform, runtimes, versionId, facts.get(versionId))),
  );
}

async function restoreVersion(
  platform: Platform,
  runtimes: Runtimes,
  versionId: string,
  facts: VersionFacts | undefined,
): Promise<void> {
  const now = new Date();
  if (facts?.parked !== undefined) return;
  if (facts !== undefined && mayBeCrashLoop(facts, now) && (await parkIfLooping(platform, versionId))) return;
  const restartAt = facts && nextRestart(facts);
  if (restartAt === undefined || restartAt <= now) await restoreInstance(platform, runtimes, versionId);
}

async function restoreInstance(platform: Platform, runtimes: Runtimes, versionId: string): Promise<void> {
  await pruneInstances(platform.db, versionId);
  try {
    await ensureInstance(platform, runtimes, versionId);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A later round tries again. What failed before there was an instance is recorded here.
    if (error instanceof InstanceFailure && !isAppFault(error.reasonCode))
      await noteNotStarted(platform.db, versionId, error.reasonCode, error.detail);
    platform.log.warn({ versionId, reason: error.detail }, "instance could not be restarted");
  }
}

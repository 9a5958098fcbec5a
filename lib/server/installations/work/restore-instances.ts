import { Problem } from "@/lib/contract/problem";
import { nextRestart } from "@/lib/domain/health";
import { readVersionFacts } from "../../health/read-health";
import { ensureInstance, removeAbandonedStarts } from "../../instances/ensure-instance";
import { pruneInstances } from "../../instances/queries";
import type { Platform } from "../../platform/platform";
import type { Runtimes } from "../../runtimes/choose-runtime";
import { selectVersionsToRestore } from "./queries";

/**
 * Starts an instance for each version that has running installations but no live instance. Concurrent calls are fine: a
 * version whose instance is starting is not restored again.
 *
 * A version that keeps failing is restarted with growing pauses, and never given up. Its installations stay `RUNNING`: what
 * crashes it may be another customer's call.
 */
export async function restoreInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  await removeAbandonedStarts(platform, runtimes);
  const versionIds = await selectVersionsToRestore(platform.db);
  const facts = await readVersionFacts(platform.db, versionIds);
  const now = new Date();
  const due = versionIds.filter((versionId) => {
    const known = facts.get(versionId);
    const restartAt = known && nextRestart(known);
    return restartAt === undefined || restartAt <= now;
  });
  await Promise.all(due.map((versionId) => restoreInstance(platform, runtimes, versionId)));
}

async function restoreInstance(platform: Platform, runtimes: Runtimes, versionId: string): Promise<void> {
  await pruneInstances(platform.db, versionId);
  try {
    await ensureInstance(platform, runtimes, versionId);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Recorded with the instance. A later round tries again.
    platform.log.warn({ versionId, reason: error.detail }, "instance could not be restarted");
  }
}

import { Problem } from "@/lib/contract/problem";
import { recordAudit } from "../../audit/record-audit";
import { ensureInstance, removeAbandonedStarts } from "../../instances/ensure-instance";
import { countFailures, noteRestarts, selectLastFailure } from "../../instances/queries";
import type { Platform } from "../../platform/platform";
import type { Runtimes } from "../../runtimes/choose-runtime";
import { failUpgrade } from "../fail-upgrade";
import { failInstallations, selectVersionsToRestore } from "./queries";

const CRASHES_ALLOWED = 5;
const CRASH_MINUTES = 10;
const UPGRADE_FAILED =
  "The old version kept crashing before the new one was ready. Try again: the app is then launched with the new version.";

/**
 * Starts an instance for each version that has running installations but no live instance. Concurrent calls are fine: a
 * version whose instance is starting is not restored again.
 */
export async function restoreInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  await removeAbandonedStarts(platform, runtimes);
  const versionIds = await selectVersionsToRestore(platform.db);
  await Promise.all(versionIds.map((versionId) => restoreInstance(platform, runtimes, versionId)));
}

async function restoreInstance(platform: Platform, runtimes: Runtimes, versionId: string): Promise<void> {
  const crashes = await countFailures(platform.db, versionId, CRASH_MINUTES);
  if (crashes > CRASHES_ALLOWED) return park(platform, versionId);
  try {
    const instance = await ensureInstance(platform, runtimes, versionId);
    await noteRestarts(platform.db, instance.id, crashes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Recorded with the instance. The next round tries again, until it counts as a crash loop.
    platform.log.warn({ versionId, reason: error.detail }, "instance could not be restarted");
  }
}

/** Ends a crash loop: the publisher fixes the app, or an operator starts it again. */
async function park(platform: Platform, versionId: string): Promise<void> {
  const last = await selectLastFailure(platform.db, versionId);
  const reason =
    `The app failed more than ${CRASHES_ALLOWED} times in ${CRASH_MINUTES} minutes, so the platform stopped restarting it. ` +
    `Last failure: ${last ?? "unknown"} Once the cause is fixed, start the installation again.`;
  await platform.db.transaction(async (tx) => {
    for (const { id, organizationId } of await failInstallations(tx, versionId, reason)) {
      await failUpgrade(platform, tx, { id, organizationId }, UPGRADE_FAILED);
      await recordAudit(tx, platform.keyring, {
        chain: organizationId,
        actor: "worker",
        action: "installation.fail",
        subject: `installation:${id}`,
        details: { reason },
      });
    }
  });
  platform.log.warn({ versionId }, "crash loop stopped");
}

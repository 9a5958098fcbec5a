import { Problem } from "@/lib/contract/problem";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { failUpgrade } from "../upgrades/fail-upgrade";
import { ensureInstance, removeAbandonedStarts } from "./ensure-instance";
import * as queries from "./queries";

const CRASHES_ALLOWED = 5;
const CRASH_MINUTES = 10;
const UPGRADE_TOO_LATE =
  "The version that ran failed for good before the new one was ready. Try again: it is launched with the new one then.";

/**
 * Starts an instance for each version that has running installations and none to serve them. It may be called again
 * while it runs: a version whose instance is starting is not among them.
 */
export async function restoreInstances(platform: Platform, runtimes: Runtimes): Promise<void> {
  await removeAbandonedStarts(platform, runtimes);
  const versionIds = await queries.selectVersionsToRestore(platform.db);
  await Promise.all(versionIds.map((versionId) => restoreInstance(platform, runtimes, versionId)));
}

async function restoreInstance(platform: Platform, runtimes: Runtimes, versionId: string): Promise<void> {
  const crashes = await queries.countFailures(platform.db, versionId, CRASH_MINUTES);
  if (crashes > CRASHES_ALLOWED) return park(platform, versionId);
  try {
    const instance = await ensureInstance(platform, runtimes, versionId);
    await queries.noteRestarts(platform.db, instance.id, crashes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Recorded with the instance; the next round tries again, until it counts as a crash loop.
    platform.log.warn({ versionId, reason: error.detail }, "instance could not be started again");
  }
}

/** A crash loop ends here: what helps is a mended version, or an operator who starts it again. */
async function park(platform: Platform, versionId: string): Promise<void> {
  const last = await queries.selectLastFailure(platform.db, versionId);
  const reason =
    `The app failed more than ${CRASHES_ALLOWED} times within ${CRASH_MINUTES} minutes, so it is not started again by itself. ` +
    `Last: ${last ?? "unknown"} Start the installation once the cause is mended.`;
  await platform.db.transaction(async (tx) => {
    for (const { id, organizationId } of await queries.failInstallations(tx, versionId, reason)) {
      const entry = {
        chain: organizationId,
        actor: "worker",
        action: "installation.fail",
        subject: `installation:${id}`,
      };
      await failUpgrade(platform, tx, { id, organizationId }, UPGRADE_TOO_LATE);
      await recordAudit(tx, platform.keyring, { ...entry, details: { reason } });
    }
  });
  platform.log.warn({ versionId }, "crash loop parked");
}

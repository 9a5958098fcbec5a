import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import { failUpgrade } from "../installations/fail-upgrade";
import { moveInstallation } from "../installations/queries";
import type { Platform } from "../platform/platform";
import { lockSandboxLaunches } from "./queries";

/** Removes the moderators' Test Launches of a listing when its review of a version ends. A worker does the rest. */
export async function endSandboxLaunches(
  platform: Platform,
  tx: Db,
  review: { id: string; listingId: string; version: object | null },
): Promise<void> {
  if (review.version === null) return;
  const launched = await lockSandboxLaunches(tx, review.listingId);
  for (const { id, organizationId, state: from } of launched) {
    // Also one that is being stopped: its worker notices, and the next one removes it.
    if (!(await moveInstallation(tx, { id, organizationId, from, to: "UNINSTALLING" })))
      throw new Error(`installation ${id} changed although it is locked`);
    await failUpgrade(
      platform,
      tx,
      { id, organizationId },
      "The review ended before the new version was ready.",
    );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: "worker",
      action: "installation.uninstall",
      subject: `installation:${id}`,
      details: { from, to: "UNINSTALLING", reviewId: review.id },
    });
  }
  if (launched.length > 0) await notifyWorker(tx);
}

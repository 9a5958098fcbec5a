import { isCrashLoop } from "@/lib/domain/crash-loop";
import { recordAudit } from "../audit/record-audit";
import { tellOfApp } from "../notifications/tell-of-apps";
import type { Platform } from "../platform/platform";
import { countUncalledFailures, insertParking, selectPublisherId } from "./parking-queries";

/** Parks a version that is in a crash loop, and notifies its publisher. True if it is parked. */
export async function parkIfLooping(platform: Platform, versionId: string): Promise<boolean> {
  const crashes = await countUncalledFailures(platform.db, versionId);
  if (!isCrashLoop(crashes)) return false;
  await platform.db.transaction(async (tx) => {
    const publisherId = await selectPublisherId(tx, versionId);
    if (publisherId === undefined || !(await insertParking(tx, versionId, crashes))) return;
    await tellOfApp(tx, versionId, `It crashed ${crashes} times, so the platform no longer restarts it.`);
    await recordAudit(tx, platform.keyring, {
      chain: publisherId,
      actor: "worker",
      action: "version.park",
      subject: `version:${versionId}`,
      details: { crashes },
    });
  });
  platform.log.warn({ versionId, crashes }, "version parked");
  return true;
}

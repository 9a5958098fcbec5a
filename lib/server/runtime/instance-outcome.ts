import { isAppFault } from "@/lib/contract/runtime/instance-reasons";
import { isCrashLoop } from "@/lib/domain/runtime/instance";
import { type Db, isRefusedValue } from "../platform/database/connect";
import { tellOfApp } from "../platform/notifications/tell-of-apps";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import type { InstanceRow } from "./instance-queries";
import { endInstance, type InstanceEnd, markReady } from "./instance-state-queries";
import {
  countUncalledFailures,
  endParking,
  endSleep,
  insertParking,
  selectPublisherId,
} from "./scale-queries";

type Instance = Pick<InstanceRow, "id" | "versionId">;

/**
 * Ends an instance, and notifies the publisher if the app is at fault. False if it had ended already. One whose reason PostgreSQL
 * refuses ends without it: an instance that never ends would be started again and again, and nobody would learn why.
 */
export async function endOnce(platform: Platform, instance: Instance, end: InstanceEnd): Promise<boolean> {
  const { id, versionId } = instance;
  try {
    return await platform.db.transaction(async (tx) => {
      if (!(await endInstance(tx, id, end))) return false;
      if (isAppFault(end.code)) await tellOfApp(tx, versionId, end.reason);
      return true;
    });
  } catch (error) {
    if (!isRefusedValue(error) || end.reason === NOT_RECORDED) throw error;
    platform.log.error(
      { err: error, versionId, code: end.code },
      "why an instance ended could not be stored",
    );
    return endOnce(platform, instance, { code: end.code, reason: NOT_RECORDED });
  }
}

const NOT_RECORDED = "The reason could not be stored. The platform's log has the cause.";

/**
 * Marks a starting instance as ready, and notifies the people who were notified that its app failed. Undefined if it
 * has ended.
 * @param also runs in the same transaction
 */
export async function readyOnce(
  platform: Platform,
  { id, versionId }: Instance,
  also?: (tx: Db) => Promise<unknown>,
): Promise<InstanceRow | undefined> {
  return platform.db.transaction(async (tx) => {
    const ready = await markReady(tx, id);
    if (ready === undefined) return undefined;
    await also?.(tx);
    await endSleep(tx, versionId);
    await endParking(tx, versionId, "READY");
    await tellOfApp(tx, versionId, null);
    return ready;
  });
}

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

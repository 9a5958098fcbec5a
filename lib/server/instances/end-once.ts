import { isAppFault } from "@/lib/contract/instance-reasons";
import { tellOfApp } from "../notifications/tell-of-apps";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { endParking } from "./parking-queries";
import { endSleep } from "./sleep-queries";
import { endInstance, markReady, type InstanceEnd, type InstanceRow } from "./queries";

type Instance = Pick<InstanceRow, "id" | "versionId">;

/** Ends an instance, and notifies the publisher if the app is at fault. False if it had ended already. */
export async function endOnce(
  platform: Platform,
  { id, versionId }: Instance,
  end: InstanceEnd,
): Promise<boolean> {
  return platform.db.transaction(async (tx) => {
    if (!(await endInstance(tx, id, end))) return false;
    if (isAppFault(end.code)) await tellOfApp(tx, versionId, end.reason);
    return true;
  });
}

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

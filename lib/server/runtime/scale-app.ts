import type { ReplicasInput } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Member } from "@/lib/domain/platform/actor";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { countCallsInProgress } from "./load-queries";
import { LOAD_WITHIN_MS } from "./scale-busy";
import { selectReplicas, selectRunningInstances, setReplicas, setRestart } from "./scale-queries";

/**
 * Sets how many instances of each version of an app run: workers start missing ones and drain the rest within seconds. Throws
 * NOT_FOUND for other organizations, and BAD_INPUT above the operator's limit.
 */
export async function scaleApp(
  platform: Platform,
  { organization, userId }: Member,
  listingId: string,
  { replicas, mostReplicas = null }: ReplicasInput,
): Promise<void> {
  const most = platform.environment.PLATFORM_APP_REPLICAS;
  if (Math.max(replicas, mostReplicas ?? 0) > most) {
    const message = `This platform runs at most ${most} instances of a version. Choose fewer.`;
    const pointer = replicas > most ? "/replicas" : "/mostReplicas";
    throw new Problem("BAD_INPUT", message, [{ code: "too-many", pointer, message }]);
  }
  await platform.db.transaction(async (tx) => {
    const before = isId(listingId)
      ? await setReplicas(tx, organization.id, listingId, { replicas, mostReplicas })
      : undefined;
    if (before === undefined) throw new Problem("NOT_FOUND");
    await notifyWorker(tx);
    await recordAudit(tx, platform.keyring, {
      chain: organization.id,
      actor: `user:${userId}`,
      action: "listing.scale",
      subject: `listing:${listingId}`,
      details: {
        from: before.replicas,
        to: replicas,
        ...(mostReplicas === null ? {} : { upTo: mostReplicas }),
      },
    });
  });
}

/**
 * Replaces all instances of an app one after the other, so that no call is lost. Throws NOT_FOUND for other organizations.
 */
export async function restartApp(
  platform: Platform,
  { organization, userId }: Member,
  listingId: string,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!isId(listingId) || !(await setRestart(tx, organization.id, listingId)))
      throw new Problem("NOT_FOUND");
    await notifyWorker(tx);
    await recordAudit(tx, platform.keyring, {
      chain: organization.id,
      actor: `user:${userId}`,
      action: "listing.restart",
      subject: `listing:${listingId}`,
    });
  });
}

/** What runs of an app, for its publisher. `most`: how many instances of a version the operator allows. */
export async function readInstances(platform: Platform, listingId: string) {
  const [{ replicas, mostReplicas }, instances] = await Promise.all([
    selectReplicas(platform.db, listingId),
    selectRunningInstances(platform.db, listingId),
  ]);
  const most = platform.environment.PLATFORM_APP_REPLICAS;
  const calls =
    mostReplicas === null ? 0 : await countCallsInProgress(platform.db, listingId, LOAD_WITHIN_MS);
  return {
    replicas: Math.min(replicas, most),
    mostReplicas: mostReplicas === null ? null : Math.min(mostReplicas, most),
    most,
    /** In progress at all versions; 0 where the platform adds no replicas. */
    calls,
    instances,
  };
}

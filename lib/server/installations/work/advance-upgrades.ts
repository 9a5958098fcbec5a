import { LONGEST_CALL_SECONDS } from "../../calls/call-route";
import { endDeliveriesOfRemovedRoutes } from "../../calls/deliveries/queries";
import { type HookSubject, runLifecycleHook } from "../../calls/run-lifecycle-hook";
import type { Db } from "../../platform/database/connect";
import { notifyWorker } from "../../platform/database/work-channel";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import { giveBackLeases } from "../../platform/lease-queries";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { checkHealth } from "../../runtime/check-health";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import { ensureThroughRestart, startFailure } from "../../runtime/ensure-instance";
import type { InstanceRow } from "../../runtime/instance-queries";
import { stopUnneeded } from "../../runtime/reconcile-instances";
import { failUpgrade, switchVersion } from "../upgrade-installation";
import * as queries from "../upgrade-queries";
import { type ClaimedUpgrade, moveUpgrade, setOtherVersion, type UpgradeRow } from "../upgrade-queries";

/** How many upgrades a worker advances at once. */
const LIMIT = 4;

/** Synchronous calls are recorded when they end, so drains wait for the longest. Others wait for a connection at most. */
const SLACK_SECONDS = LONGEST_CALL_SECONDS;
const CHECK_AGAIN_SECONDS = 1;

const OUTDATED =
  "The installation or its new instance changed before the switch. The old version keeps running.";

/** Upgrades and rollbacks in progress. */
export function upgradePool(
  platform: Platform,
  runtimes: Runtimes,
  readyWithinMs?: number,
): Pool<ClaimedUpgrade> {
  return {
    name: "upgrades",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => queries.claimOpen(platform.db, free, lease),
    handle: (upgrade) => advanceUpgrade(platform, runtimes, upgrade, readyWithinMs),
  };
}

/** Takes a claimed upgrade one step further. If the new version fails, it ends in `FAILED` with the reason. */
async function advanceUpgrade(
  platform: Platform,
  runtimes: Runtimes,
  upgrade: ClaimedUpgrade,
  readyWithinMs?: number,
): Promise<void> {
  if (upgrade.state === "STARTING") await start(platform, runtimes, upgrade, readyWithinMs);
  else await drain(platform, upgrade);
  await stopUnneeded(platform, runtimes);
}

async function start(
  platform: Platform,
  runtimes: Runtimes,
  upgrade: UpgradeRow,
  readyWithinMs: number | undefined,
): Promise<void> {
  const subject = await queries.selectHookSubject(platform.db, upgrade);
  const failure = await tryStart(platform, runtimes, upgrade, subject, readyWithinMs);
  await platform.db.transaction((tx) => settleStart(platform, tx, upgrade, subject, failure));
  await queries.noteSwitched(platform.db, upgrade.id);
}

/** Why the new version cannot take over; undefined if it is up and healthy, and its start hook succeeded. */
async function tryStart(
  platform: Platform,
  runtimes: Runtimes,
  { toVersionId }: UpgradeRow,
  subject: HookSubject,
  readyWithinMs: number | undefined,
): Promise<string | undefined> {
  let instance: InstanceRow;
  try {
    instance = await ensureThroughRestart(platform, runtimes, toVersionId, readyWithinMs);
  } catch (error) {
    return startFailure(platform, error).reason;
  }
  const { origin } = instance;
  if (origin === null) return "Its instance has no address.";
  const failure = await runLifecycleHook(platform, subject, "start", instance);
  // The instance may have served another installation and died unnoticed; the switch sends calls there at once.
  return failure ?? checkHealth(origin);
}

async function settleStart(
  platform: Platform,
  tx: Db,
  upgrade: UpgradeRow,
  { manifest }: HookSubject,
  failure: string | undefined,
): Promise<void> {
  const { id, installationId, toVersionId, toRevision } = upgrade;
  const { organizationId } = await queries.lockUpgrading(tx, installationId);
  // A command or another worker may have ended this upgrade, and another one may have started.
  if (!(await queries.isStarting(tx, id))) return;
  const installation = { id: installationId, organizationId };
  if (failure !== undefined) return failUpgrade(platform, tx, installation, failure);
  if (!(await switchVersion(platform, tx, { organizationId, upgrade, manifest, from: "RUNNING" })))
    return failUpgrade(platform, tx, installation, OUTDATED);
  await notifyWorker(tx);
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: "worker",
    action: "upgrade.switch",
    subject: `upgrade:${id}`,
    details: { installationId, toVersionId, revision: toRevision },
  });
}

/** Waits until the calls in progress have finished on the old instance. */
async function drain(platform: Platform, { id, claim, installationId }: ClaimedUpgrade): Promise<void> {
  if (!(await queries.isDrained(platform.db, id, SLACK_SECONDS)))
    return giveBackLeases(platform.db, "upgrades", [{ id, claim }], CHECK_AGAIN_SECONDS);
  await platform.db.transaction(async (tx) => {
    const { organizationId } = await queries.lockUpgrading(tx, installationId);
    if (!(await moveUpgrade(tx, id, "DRAINING", { state: "DONE" }))) return;
    await setOtherVersion(tx, installationId, null);
    // An event accepted during the switch may have found a route just before it was removed.
    await endDeliveriesOfRemovedRoutes(tx, installationId);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: "worker",
      action: "upgrade.end",
      subject: `upgrade:${id}`,
      details: { installationId },
    });
  });
}

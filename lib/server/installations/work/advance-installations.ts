import { setTimeout as sleep } from "node:timers/promises";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { LifecycleEvent } from "@/lib/contract/platform/manifest-terms";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { MovingState } from "@/lib/domain/calls/installation";
import { endDeliveries } from "../../calls/deliveries/queries";
import { deleteSecrets } from "../../calls/deliveries/webhook-secret-queries";
import { hasUnfinishedHook, selectLastHook } from "../../calls/route-queries";
import { declaresHook, runLifecycleHook } from "../../calls/run-lifecycle-hook";
import type { Db } from "../../platform/database/connect";
import { notifyWorker } from "../../platform/database/work-channel";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import { dropLease } from "../../platform/lease-queries";
import { tellOfInstallation } from "../../platform/notifications/tell-of-apps";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { endIfExited } from "../../runtime/check-instances";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import { ensureThroughRestart, startFailure } from "../../runtime/ensure-instance";
import { type InstanceRow, selectInstance, selectLiveInstance } from "../../runtime/instance-queries";
import { stopUnneeded } from "../../runtime/reconcile-instances";
import { isAsleep } from "../../runtime/scale-queries";
import { removeSettings } from "../configurations/store-configuration";
import { moveInstallation } from "../queries";
import * as queries from "./queries";
import type { ClaimedInstallation } from "./queries";

/** How many installations a worker advances at once. */
const LIMIT = 8;

const ACTIONS = {
  RUNNING: "installation.run",
  ERROR: "installation.fail",
  STOPPED: "installation.rest",
  UNINSTALLED: "installation.remove",
} as const satisfies Partial<Record<InstallationState, string>>;

/** Installations that are launched, stopped or uninstalled. */
export function installationPool(platform: Platform, runtimes: Runtimes): Pool<ClaimedInstallation> {
  return {
    name: "installations",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => queries.claimMoving(platform.db, free, lease),
    handle: (installation) => advanceInstallation(platform, runtimes, installation),
  };
}

/** Launches, stops or uninstalls a claimed installation. If the app fails, it ends in `ERROR` with the reason. */
async function advanceInstallation(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  await ADVANCE[installation.state](platform, runtimes, installation);
  await stopUnneeded(platform, runtimes);
}

const ADVANCE = { LAUNCHING: launch, STOPPING: stop, UNINSTALLING: uninstall } as const satisfies Record<
  MovingState,
  typeof launch
>;

interface Failure {
  code: ReasonCode | null;
  reason: string;
}

async function launch(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  const failure = await tryLaunch(platform, runtimes, installation);
  if (failure === undefined) await settle(platform, installation, "RUNNING");
  else await settle(platform, installation, "ERROR", failure);
}

/** An instance that ends during a hook may have been crashed by another customer's call, so its launch tries again. */
const HOOK_TRIES = 4;
const HOOK_PAUSE_MS = 500;

/** Why the launch failed; undefined if it succeeded. The code is null if a hook failed. */
async function tryLaunch(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<Failure | undefined> {
  for (let tries = 1; ; tries += 1) {
    let instance: InstanceRow;
    try {
      instance = await ensureThroughRestart(platform, runtimes, installation.versionId);
    } catch (error) {
      return startFailure(platform, error);
    }
    const failure = await callLaunchHooks(platform, installation, instance);
    if (failure === undefined) return undefined;
    if (tries === HOOK_TRIES || !(await hasEnded(platform, runtimes, instance)))
      return { code: null, reason: failure };
    await sleep(HOOK_PAUSE_MS * tries);
  }
}

async function hasEnded(platform: Platform, runtimes: Runtimes, instance: InstanceRow): Promise<boolean> {
  if (await endIfExited(platform, runtimes, instance)) return true;
  return (await selectInstance(platform.db, instance.id))?.state !== "READY";
}

async function callLaunchHooks(
  platform: Platform,
  installation: ClaimedInstallation,
  instance: InstanceRow,
): Promise<string | undefined> {
  if (installation.installedAt === null) {
    const failure = await callHook(platform, installation, "install", instance);
    if (failure !== undefined) return failure;
    await queries.markInstalled(platform.db, installation.id);
    installation.installedAt = new Date();
  }
  return callHook(platform, installation, "start", instance);
}

/**
 * A hook reads the configuration of the moment it is called: starting an app may take minutes. It is skipped if a command
 * changed the state since, which `settle` notices.
 */
async function callHook(
  platform: Platform,
  installation: ClaimedInstallation,
  event: LifecycleEvent,
  instance: InstanceRow | undefined,
): Promise<string | undefined> {
  const { state, revision } = await queries.selectNow(platform.db, installation.id);
  if (state !== installation.state) return undefined;
  return runLifecycleHook(platform, { ...installation, revision }, event, instance);
}

async function stop(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  await callStopHook(platform, runtimes, installation);
  await settle(platform, installation, "STOPPED");
}

/** Hooks that fail don't block the removal: they are tried and recorded. */
async function uninstall(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  await callStopHook(platform, runtimes, installation);
  const { id, installedAt, revision } = installation;
  // An install hook whose worker died may still have done its work.
  const mayBeInstalled = installedAt !== null || (await hasUnfinishedHook(platform.db, id, "install"));
  if (declaresHook(installation, "uninstall") && mayBeInstalled) {
    const instance = await findInstance(platform, runtimes, installation.versionId);
    await callHook(platform, installation, "uninstall", instance);
  }
  await settle(platform, installation, "UNINSTALLED", undefined, async (tx) => {
    await removeSettings(tx, id, revision);
    await deleteSecrets(tx, id);
    await endDeliveries(tx, id);
  });
}

/** A stop hook follows a start hook: an app that was not started is not asked to stop. One that sleeps is started for it. */
async function callStopHook(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  if (!declaresHook(installation, "stop")) return;
  const { versionId } = installation;
  const last = await selectLastHook(platform.db, installation.id);
  if (declaresHook(installation, "start") && last !== "start") return;
  const live = (await isAsleep(platform.db, versionId))
    ? await findInstance(platform, runtimes, versionId)
    : await selectLiveInstance(platform.db, versionId);
  if (live?.state === "READY") await callHook(platform, installation, "stop", live);
}

/** Undefined if the app cannot be started for a hook. */
async function findInstance(
  platform: Platform,
  runtimes: Runtimes,
  versionId: string,
): Promise<InstanceRow | undefined> {
  try {
    return await ensureThroughRestart(platform, runtimes, versionId);
  } catch (error) {
    startFailure(platform, error);
    return undefined;
  }
}

async function settle(
  platform: Platform,
  { id, organizationId, state: from }: ClaimedInstallation,
  to: keyof typeof ACTIONS,
  failure?: Failure,
  also?: (tx: Db) => Promise<void>,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    // A command requested another state in the meantime: a worker can start on that immediately.
    if (!(await moveInstallation(tx, { id, organizationId, from, to, failure })))
      return dropLease(tx, "installations", id);
    await also?.(tx);
    if (to === "ERROR") await tellOfInstallation(tx, id, failure?.reason ?? "");
    if (to === "RUNNING") await tellOfInstallation(tx, id, null);
    await notifyWorker(tx);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: "worker",
      action: ACTIONS[to],
      subject: `installation:${id}`,
      details: { from, to, ...(failure === undefined ? {} : { reason: failure.reason }) },
    });
  });
}

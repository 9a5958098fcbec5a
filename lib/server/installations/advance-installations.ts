import type { InstallationState } from "@/lib/contract/installation";
import type { LifecycleEvent } from "@/lib/contract/manifest";
import { recordAudit } from "../audit/record-audit";
import { selectConfiguration } from "../configurations/queries";
import { writeRemoval } from "../configurations/secrets/write-ledger";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/notify-worker";
import { endDeliveriesOf } from "../deliveries/queries";
import { ensureInstance } from "../instances/ensure-instance";
import { selectLiveInstance } from "../instances/queries";
import { stopUnneeded } from "../instances/reconcile-instances";
import { startFaultOf } from "../instances/start-fault";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { declaresHook, runLifecycleHook } from "./run-lifecycle-hook";
import * as queries from "./work/queries";
import type { ClaimedInstallation, MovingState } from "./work/queries";

/** How many installations a worker moves on at once. */
export const ADVANCE_BOUND = 8;

/** Renewed while the work goes on; after a crash another worker takes over within this time. */
const LEASE_SECONDS = 30;

const ACTION_OF = {
  RUNNING: "installation.run",
  ERROR: "installation.fail",
  STOPPED: "installation.rest",
  UNINSTALLED: "installation.remove",
} as const satisfies Partial<Record<InstallationState, string>>;

type SettledState = keyof typeof ACTION_OF;

export function claimMovingInstallations(platform: Platform, limit: number): Promise<ClaimedInstallation[]> {
  return queries.claimMoving(platform.db, limit, LEASE_SECONDS);
}

/** Moves one claimed installation to where it is going. A fault of the app ends in `ERROR` with its reason. */
export async function advanceInstallation(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  const { id, state } = installation;
  const renewal = setInterval(
    () => {
      queries
        .renewLease(platform.db, id, LEASE_SECONDS)
        .catch((error: unknown) => platform.log.warn({ err: error }, "lease not renewed"));
    },
    (LEASE_SECONDS * 1000) / 3,
  );
  try {
    await ADVANCE[state](platform, runtimes, installation);
  } finally {
    clearInterval(renewal);
  }
  await stopUnneeded(platform, runtimes);
}

/** Advances what is due, one batch. The worker keeps its lanes full instead; see `worker/pool.ts`. */
export async function advanceInstallations(
  platform: Platform,
  runtimes: Runtimes,
  limit = ADVANCE_BOUND,
): Promise<number> {
  const claimed = await claimMovingInstallations(platform, limit);
  await Promise.all(claimed.map((installation) => advanceInstallation(platform, runtimes, installation)));
  return claimed.length;
}

const ADVANCE = { LAUNCHING: launch, STOPPING: stop, UNINSTALLING: uninstall } as const satisfies Record<
  MovingState,
  typeof launch
>;

async function launch(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  const failure = await launchFault(platform, runtimes, installation);
  if (failure === undefined) await settle(platform, installation, "RUNNING");
  else await settle(platform, installation, "ERROR", failure);
}

async function launchFault(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<string | undefined> {
  let origin: string | null;
  try {
    ({ origin } = await ensureInstance(platform, runtimes, installation.versionId));
  } catch (error) {
    return startFaultOf(platform, error);
  }
  if (installation.installedAt === null) {
    const failure = await callHook(platform, installation, "install", origin);
    if (failure !== undefined) return failure;
    await queries.markInstalled(platform.db, installation.id);
  }
  return callHook(platform, installation, "start", origin);
}

/**
 * A hook reads the configuration as it is when it is called: starting an app may take minutes. Where somebody asked for
 * another state meanwhile it is not called any more; who settles finds that out.
 */
async function callHook(
  platform: Platform,
  installation: ClaimedInstallation,
  event: LifecycleEvent,
  origin: string | null,
): Promise<string | undefined> {
  const { state, ...now } = await queries.selectNow(platform.db, installation.id);
  if (state !== installation.state) return undefined;
  return runLifecycleHook(platform, { ...installation, ...now }, event, origin);
}

async function stop(
  platform: Platform,
  _runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  await tryStopHook(platform, installation);
  await settle(platform, installation, "STOPPED");
}

/** Nothing here blocks the removal: tried, recorded with its attempt, done. */
async function uninstall(
  platform: Platform,
  runtimes: Runtimes,
  installation: ClaimedInstallation,
): Promise<void> {
  await tryStopHook(platform, installation);
  if (declaresHook(installation, "uninstall") && (await mayBeInstalled(platform, installation))) {
    const origin = await originForFarewell(platform, runtimes, installation.versionId);
    await callHook(platform, installation, "uninstall", origin);
  }
  await settle(platform, installation, "UNINSTALLED", null, async (tx) => {
    await removeSettings(tx, installation.id, installation.revision);
    await endDeliveriesOf(tx, installation.id);
  });
}

/** An install hook whose worker died may have done its work all the same. */
async function mayBeInstalled(platform: Platform, { id, installedAt }: ClaimedInstallation) {
  return installedAt !== null || (await queries.isHookOpen(platform.db, id, "install"));
}

/** What the customer entered is gone from every revision; the ledger keeps that there were secrets. */
async function removeSettings(tx: Db, id: string, revision: number): Promise<void> {
  const last = await selectConfiguration(tx, id, revision);
  await writeRemoval(tx, id, revision, new Map(Object.entries(last?.settings ?? {})));
  await queries.emptySettings(tx, id);
}

/** The stop hook belongs to a start: an app that rests is not told to stop again. */
async function tryStopHook(platform: Platform, installation: ClaimedInstallation): Promise<void> {
  const last = await queries.selectLastHook(platform.db, installation.id);
  if (declaresHook(installation, "start") && !last?.includes("/_app/start?")) return;
  const live = await selectLiveInstance(platform.db, installation.versionId);
  if (live?.state === "READY") await callHook(platform, installation, "stop", live.origin);
}

/** An app that cannot be started for its uninstall hook is not called, and the attempt says so. */
async function originForFarewell(
  platform: Platform,
  runtimes: Runtimes,
  versionId: string,
): Promise<string | null> {
  try {
    return (await ensureInstance(platform, runtimes, versionId)).origin;
  } catch (error) {
    startFaultOf(platform, error);
    return null;
  }
}

async function settle(
  platform: Platform,
  { id, organizationId, state }: ClaimedInstallation,
  to: SettledState,
  reason: string | null = null,
  also?: (tx: Db) => Promise<void>,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    // Someone asked for another state meanwhile: that does not wait for this lease to end.
    if (!(await queries.moveInstallation(tx, id, state, to, reason))) return queries.dropLease(tx, id);
    await also?.(tx);
    await notifyWorker(tx);
    const details = { from: state, to, ...(reason === null ? {} : { reason }) };
    const entry = {
      chain: organizationId,
      actor: "worker",
      action: ACTION_OF[to],
      subject: `installation:${id}`,
      details,
    };
    await recordAudit(tx, platform.keyring, entry);
  });
}

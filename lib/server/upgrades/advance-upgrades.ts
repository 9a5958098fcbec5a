import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/notify-worker";
import { endDeliveriesOfRemovedRoutes } from "../deliveries/queries";
import { type HookSubject, runLifecycleHook } from "../installations/run-lifecycle-hook";
import { healthFault } from "../instances/check-health";
import { ensureInstance } from "../instances/ensure-instance";
import { startFaultOf } from "../instances/start-fault";
import { stopUnneeded } from "../instances/reconcile-instances";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { failUpgrade } from "./fail-upgrade";
import { holdMoving, moveUpgrade, setOtherVersion, type UpgradeRow } from "./queries";
import { switchVersion } from "./switch-version";
import * as queries from "./work/queries";

/** How many upgrades a worker moves on at once. */
export const UPGRADE_BOUND = 4;

/** Renewed while the work goes on; after a crash another worker goes on from the row's state within this time. */
const LEASE_SECONDS = 30;

/** Longer than a call may wait for a connection between choosing where it goes and writing its attempt. */
const SLACK_SECONDS = 6;
const LOOK_AGAIN_SECONDS = 1;

const OVERTAKEN =
  "The installation or its new instance changed before calls could move to it. The old version serves on.";

export function claimUpgrades(platform: Platform, limit: number): Promise<UpgradeRow[]> {
  return queries.claimOpen(platform.db, limit, LEASE_SECONDS);
}

/** Takes one claimed upgrade a step on. A fault of the new version ends in `FAILED` with its reason. */
export async function advanceUpgrade(
  platform: Platform,
  runtimes: Runtimes,
  upgrade: UpgradeRow,
  readyWithinMs?: number,
): Promise<void> {
  if (upgrade.state === "STARTING") await whileLeased(platform, upgrade, start);
  else await drain(platform, upgrade);
  await stopUnneeded(platform, runtimes);

  async function start(): Promise<void> {
    const subject = await queries.selectHookSubject(platform.db, upgrade);
    const fault = await startFault(platform, runtimes, upgrade, subject, readyWithinMs);
    await platform.db.transaction((tx) => settleStart(platform, tx, upgrade, subject, fault));
    await queries.noteSwitched(platform.db, upgrade.id);
  }
}

async function whileLeased(platform: Platform, { id }: UpgradeRow, work: () => Promise<void>): Promise<void> {
  const renewal = setInterval(
    () => {
      queries
        .leaseUpgrade(platform.db, id, LEASE_SECONDS)
        .catch((error: unknown) => platform.log.warn({ err: error }, "lease not renewed"));
    },
    (LEASE_SECONDS * 1000) / 3,
  );
  await work().finally(() => clearInterval(renewal));
}

/** Why the new version cannot take over, in words; undefined when it is up, healthy, and its start hook succeeded. */
async function startFault(
  platform: Platform,
  runtimes: Runtimes,
  { toVersionId }: UpgradeRow,
  subject: HookSubject,
  readyWithinMs: number | undefined,
): Promise<string | undefined> {
  let origin: string | null;
  try {
    ({ origin } = await ensureInstance(platform, runtimes, toVersionId, readyWithinMs));
  } catch (error) {
    return startFaultOf(platform, error);
  }
  if (origin === null) return "Its instance has no address.";
  const failed = await runLifecycleHook(platform, subject, "start", origin);
  // Another installation's instance may have died unseen; the switch moves calls there at once.
  return failed ?? healthFault(origin);
}

async function settleStart(
  platform: Platform,
  tx: Db,
  upgrade: UpgradeRow,
  { manifest }: HookSubject,
  fault: string | undefined,
): Promise<void> {
  const { id, installationId, toVersionId, toRevision } = upgrade;
  const { organizationId } = await holdMoving(tx, installationId);
  // A command, or another worker, may have ended this one, and another may have begun.
  if (!(await queries.isStarting(tx, id))) return;
  const installation = { id: installationId, organizationId };
  if (fault !== undefined) return failUpgrade(platform, tx, installation, fault);
  if (!(await switchVersion(platform, tx, organizationId, upgrade, manifest, "RUNNING")))
    return failUpgrade(platform, tx, installation, OVERTAKEN);
  await notifyWorker(tx);
  const details = { installationId, toVersionId, revision: toRevision };
  await recordStep(platform, tx, organizationId, "upgrade.switch", id, details);
}

/** The calls under way end on the old instance, which is needed until then. */
async function drain(platform: Platform, { id, installationId }: UpgradeRow): Promise<void> {
  if (!(await queries.isDrained(platform.db, id, SLACK_SECONDS)))
    return queries.leaseUpgrade(platform.db, id, LOOK_AGAIN_SECONDS);
  await platform.db.transaction(async (tx) => {
    const { organizationId } = await holdMoving(tx, installationId);
    if (!(await moveUpgrade(tx, id, "DRAINING", { state: "DONE" }))) return;
    await setOtherVersion(tx, installationId, null);
    // An event that was accepted during the switch may have found a route just before it was removed.
    await endDeliveriesOfRemovedRoutes(tx, installationId);
    await recordStep(platform, tx, organizationId, "upgrade.end", id, { installationId });
  });
}

function recordStep(
  platform: Platform,
  tx: Db,
  chain: string,
  action: "upgrade.switch" | "upgrade.end",
  id: string,
  details: Record<string, string | number>,
): Promise<void> {
  const entry = { chain, actor: "worker", action, subject: `upgrade:${id}`, details };
  return recordAudit(tx, platform.keyring, entry);
}

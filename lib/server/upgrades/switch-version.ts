import type { InstallationState } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";
import { serveRevision } from "../configurations/serve-revision";
import type { Db } from "../database/connect";
import { endDeliveriesOfRemovedRoutes } from "../deliveries/queries";
import { declaredRoutes } from "../installations/declared-routes";
import type { Platform } from "../platform/platform";
import * as queries from "./queries";
import type { UpgradeRow } from "./queries";

/** What an installation is after the switch, by what it is before: an app that failed is launched again. */
const AFTER = { RUNNING: "RUNNING", STOPPED: "STOPPED", ERROR: "LAUNCHING" } as const satisfies Partial<
  Record<InstallationState, InstallationState>
>;

export type SwitchableState = keyof typeof AFTER;

export function isSwitchable(state: InstallationState): state is SwitchableState {
  return Object.hasOwn(AFTER, state);
}

/**
 * Version, revision and routes change in one transaction: the next call goes to the new version, with its settings.
 * False when the installation is not any more what the upgrade began from; nothing is changed then.
 */
export async function switchVersion(
  platform: Platform,
  tx: Db,
  organizationId: string,
  upgrade: UpgradeRow,
  manifest: Manifest,
  state: SwitchableState,
): Promise<boolean> {
  // Calls may be under way on the old instance, which is kept for them.
  const drains = state === "RUNNING";
  const to = { state: AFTER[state], otherVersionId: drains ? upgrade.fromVersionId : null };
  if (!(await queries.moveVersion(tx, upgrade, { state, to }))) return false;
  if (!(await queries.moveUpgrade(tx, upgrade.id, "STARTING", { state: drains ? "DRAINING" : "DONE" })))
    throw new Error(`upgrade ${upgrade.id} was ended, and its installation was not told`);
  const { installationId, toRevision } = upgrade;
  await moveRoutes(tx, installationId, manifest);
  await serveRevision(platform, tx, { organizationId, installationId }, toRevision);
  return true;
}

/** The same kind and path is the same route and keeps its `routeId`; what is gone gets no calls any more. */
async function moveRoutes(tx: Db, installationId: string, manifest: Manifest): Promise<void> {
  const declared = declaredRoutes(manifest);
  const kept = new Set(declared.map(({ kind, path }) => `${kind} ${path}`));
  const present = await queries.selectPresentRoutes(tx, installationId);
  const gone = present.filter(({ kind, path }) => !kept.has(`${kind} ${path}`));
  await queries.removeRoutes(
    tx,
    gone.map((route) => route.id),
  );
  await queries.upsertRoutes(tx, installationId, declared);
  await endDeliveriesOfRemovedRoutes(tx, installationId);
}

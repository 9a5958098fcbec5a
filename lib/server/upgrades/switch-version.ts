import type { Manifest } from "@/lib/contract/manifest";
import { serveRevision } from "../configurations/store-configuration";
import type { Db } from "../database/connect";
import { endDeliveriesOfRemovedRoutes } from "../deliveries/queries";
import { declaredRoutes } from "../installations/declared-routes";
import { AFTER_SWITCH, type SwitchableState } from "../installations/find-targets";
import { upsertRoutes } from "../installations/queries";
import { moveUpgrade, type UpgradeRow } from "../installations/upgrade-queries";
import type { Platform } from "../platform/platform";
import { moveVersion, removeOtherRoutes } from "./queries";

/**
 * Switches version, revision and routes in one transaction: the next call goes to the new version, with its settings.
 * Changes nothing and returns false if the installation changed since the upgrade started.
 */
export async function switchVersion(
  platform: Platform,
  tx: Db,
  organizationId: string,
  upgrade: UpgradeRow,
  manifest: Manifest,
  from: SwitchableState,
): Promise<boolean> {
  // Calls in progress finish on the old instance, which is kept for them.
  const drains = from === "RUNNING";
  const otherVersionId = drains ? upgrade.fromVersionId : null;
  if (!(await moveVersion(tx, upgrade, { from, to: AFTER_SWITCH[from], otherVersionId }))) return false;
  if (!(await moveUpgrade(tx, upgrade.id, "STARTING", { state: drains ? "DRAINING" : "DONE" })))
    throw new Error(`upgrade ${upgrade.id} ended without its installation`);
  const { installationId, toRevision } = upgrade;
  const declared = declaredRoutes(manifest, upgrade.openEndpoints);
  await removeOtherRoutes(tx, installationId, declared);
  await upsertRoutes(tx, installationId, declared);
  await endDeliveriesOfRemovedRoutes(tx, installationId);
  await serveRevision(platform, tx, { organizationId, installationId }, toRevision);
  return true;
}

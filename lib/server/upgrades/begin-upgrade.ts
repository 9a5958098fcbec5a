import { listSettings } from "@/lib/contract/manifest-terms";
import type { UpgradeInput } from "@/lib/contract/installation";
import type { InstallationState } from "@/lib/contract/installation-states";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import { recordAudit } from "../audit/record-audit";
import { reviewedSchemas } from "../configurations/mapped-schemas";
import { mergeConfiguration } from "../configurations/merge-configuration";
import { nextRevision } from "../configurations/queries";
import { storeConfiguration } from "../configurations/store-configuration";
import { sqlStateOf, UNIQUE_VIOLATION, type Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import { findTargets, isRetryable, isSwitchable, type SwitchableState } from "../installations/find-targets";
import { lockInstallation, type LockedInstallation } from "../installations/queries";
import {
  selectNewestUpgrade,
  selectOpenUpgrade,
  setOtherVersion,
  type UpgradeRow,
} from "../installations/upgrade-queries";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { carriedConfiguration } from "./carried-configuration";
import { insertUpgrade, lockListing, selectManifest } from "./queries";
import { switchVersion } from "./switch-version";

/**
 * Moves an installation to another version: at once if it is not running, otherwise once the new version is healthy.
 * Throws NOT_FOUND, NOT_ALLOWED, STALE_REVISION, WRONG_STATE, and BAD_INPUT with every issue.
 */
export async function beginUpgrade(
  platform: Platform,
  member: Member,
  id: string,
  input: UpgradeInput,
): Promise<{ upgradeId: string }> {
  return platform.db.transaction(async (tx) => {
    const prepared = await prepareUpgrade(platform, tx, member, id, input);
    const { locked, state, rollback, manifest, stored, products, merged } = prepared;
    if (merged.issues.length > 0)
      throw new Problem(
        "BAD_INPUT",
        "The configuration is incomplete for the new version. Fix the marked fields.",
        merged.issues,
      );
    const revision = await nextRevision(tx, id);
    await storeConfiguration(platform, tx, member, {
      installationId: id,
      revision,
      versionId: input.versionId,
      cause: rollback === undefined ? "upgrade" : "rollback",
      declared: listSettings(manifest),
      outcomes: merged.outcomes,
      mappings: merged.mappings,
      schemaDigests: reviewedSchemas(products, stored.schemaDigests, input.mappings),
      stored: stored.settings,
    });
    return startUpgrade(platform, tx, member, state, {
      installationId: id,
      fromVersionId: locked.versionId,
      toVersionId: input.versionId,
      fromRevision: locked.revision,
      toRevision: revision,
      rollback: rollback !== undefined,
      openEndpoints: input.openEndpoints === true,
    });
  });
}

/** What an upgrade needs, without its writes. Throws what the upgrade throws, except for issues of the answers. */
export async function prepareUpgrade(
  platform: Platform,
  tx: Db,
  member: Member,
  id: string,
  input: Omit<UpgradeInput, "openEndpoints">,
) {
  const { locked, state } = await lockToUpgrade(tx, member, id);
  if (locked.revision !== input.revision)
    throw new Problem(
      "STALE_REVISION",
      `Revision ${locked.revision} was saved in the meantime. Compare, then upgrade again.`,
    );
  const { rollback, manifest } = await requireTarget(tx, locked, input.versionId);
  const owner = { organizationId: member.organization.id, installationId: id };
  const stored = await carriedConfiguration(platform, tx, owner, locked, manifest, rollback?.revision);
  const products = await selectProducts(tx, [locked.tenantId]);
  const merged = await mergeConfiguration(platform, tx, owner, manifest, products, stored, input);
  return { locked, state, rollback, manifest, stored, products, merged };
}

/** Tries a failed upgrade again, with its answers. Throws WRONG_STATE if the configuration was saved since. */
export async function retryUpgrade(
  platform: Platform,
  member: Member,
  id: string,
): Promise<{ upgradeId: string }> {
  return platform.db.transaction(async (tx) => {
    const { locked, state } = await lockToUpgrade(tx, member, id);
    const failed = (await selectNewestUpgrade(tx, id))?.upgrade;
    if (failed === undefined || !isRetryable(failed, locked))
      throw new Problem(
        "WRONG_STATE",
        "There is no failed upgrade to retry, or the configuration has changed since it failed. Start a new upgrade.",
      );
    await requireTarget(tx, locked, failed.toVersionId);
    return startUpgrade(platform, tx, member, state, copyStart(failed));
  });
}

/** Locks an installation that can be upgraded now. */
async function lockToUpgrade(
  tx: Db,
  member: Member,
  id: string,
): Promise<{ locked: LockedInstallation; state: SwitchableState }> {
  const locked = await lockInstallation(tx, member.organization.id, id);
  if (!mayOperate(member.organization.role, locked.test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only upgrade a Test Launch. Ask an operator or an owner of your organization.",
    );
  const { state } = locked;
  if (!isSwitchable(state))
    throw new Problem("WRONG_STATE", `You can't upgrade this installation now. ${REASONS[state]}`);
  if ((await selectOpenUpgrade(tx, id)) !== undefined)
    throw new Problem("WRONG_STATE", "An upgrade is already in progress. Wait until it is done.");
  return { locked, state };
}

const REASONS: Record<Exclude<InstallationState, SwitchableState>, string> = {
  LAUNCHING: "It is being launched. Wait until that is done.",
  STOPPING: "It is being stopped. Wait until that is done.",
  UNINSTALLING: "It is being uninstalled.",
  UNINSTALLED: "It was uninstalled. Launch the app again instead.",
};

/** The manifest of a version that the installation may move to; `rollback` if that is the previous version. */
async function requireTarget(tx: Db, installation: LockedInstallation, versionId: string) {
  await lockListing(tx, installation.listingId);
  if (versionId === installation.versionId)
    throw new Problem("WRONG_STATE", "The installation is already on this version. Choose another one.");
  const { targets, previous } = await findTargets(tx, installation);
  if (!targets.some((target) => target.versionId === versionId))
    throw new Problem("NOT_FOUND", "This version is not available. Reload the page to see which ones are.");
  const manifest = await selectManifest(tx, versionId);
  return { manifest, rollback: previous?.versionId === versionId ? previous : undefined };
}

type Start = ReturnType<typeof copyStart>;

function copyStart(upgrade: UpgradeRow) {
  const { installationId, fromVersionId, toVersionId, fromRevision, toRevision, rollback, openEndpoints } =
    upgrade;
  return { installationId, fromVersionId, toVersionId, fromRevision, toRevision, rollback, openEndpoints };
}

/** Starts an upgrade whose revision is stored. A worker continues it; if the app is not running, it is done at once. */
async function startUpgrade(
  platform: Platform,
  tx: Db,
  member: Member,
  state: SwitchableState,
  start: Start,
): Promise<{ upgradeId: string }> {
  const { installationId, fromVersionId, toVersionId, toRevision, rollback, openEndpoints } = start;
  const organizationId = member.organization.id;
  const upgrade = await insertUpgrade(tx, { ...start, createdBy: member.userId }).catch((error: unknown) => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new Problem("WRONG_STATE", "Another upgrade was started in the meantime. Wait until it is done.");
  });
  if (state === "RUNNING") await setOtherVersion(tx, installationId, toVersionId);
  else {
    const manifest = await selectManifest(tx, toVersionId);
    if (!(await switchVersion(platform, tx, organizationId, upgrade, manifest, state)))
      throw new Error(`installation ${installationId} changed although it is locked`);
  }
  await notifyWorker(tx);
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: rollback ? "installation.roll-back" : "installation.upgrade",
    subject: `installation:${installationId}`,
    details: { upgradeId: upgrade.id, fromVersionId, toVersionId, revision: toRevision, openEndpoints },
  });
  return { upgradeId: upgrade.id };
}

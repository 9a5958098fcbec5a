/**
 * The states of an upgrade or rollback, and what moves it. An installation has at most one that is not over.
 *
 * | from     | to       | when                                                        | who                                   |
 * | -------- | -------- | ----------------------------------------------------------- | ------------------------------------- |
 * | (none)   | STARTING | a member starts it, or retries a failed one                 | `startUpgrade`                        |
 * | STARTING | DONE     | the app is not running, so it switches at once              | `switchVersion`                       |
 * | STARTING | DRAINING | the new version is healthy and its start hook succeeded     | `work/advance-upgrades.ts`            |
 * | STARTING | FAILED   | the new version failed, or a command or review came between | `failUpgrade`                         |
 * | DRAINING | DONE     | the old version's last call has finished                    | `work/advance-upgrades.ts`            |
 *
 * The switch moves version, revision and routes in the transaction that leaves STARTING. Until then, the old version serves all calls,
 * so a failure changes nothing. Only `moveUpgrade` changes the state.
 */
import type { UpgradeInput } from "@/lib/contract/catalog/configuration";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { QuickUpgrade } from "@/lib/contract/installations/configuration-view";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { mayOperate } from "@/lib/domain/calls/installation";
import { compareRights, NOT_AGREED, scopeOf } from "@/lib/domain/catalog/rights";
import { explainQuestions } from "@/lib/domain/installations/upgrade";
import type { Member } from "@/lib/domain/platform/actor";
import { endDeliveriesOfRemovedRoutes } from "../calls/deliveries/queries";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { lockNewTerms, recordAcceptance, requireAccepted } from "./accept-terms";
import {
  carriedConfiguration,
  mergeConfiguration,
  reviewedSchemas,
} from "./configurations/merge-configuration";
import { nextRevision } from "./configurations/queries";
import { serveRevision, storeConfiguration } from "./configurations/store-configuration";
import { declaredRoutes } from "./declared-routes";
import { selectRefusals } from "./host-refusal-queries";
import { type LockedInstallation, lockInstallation, upsertRoutes } from "./queries";
import {
  AFTER_SWITCH,
  findTargets,
  isRetryable,
  isSwitchable,
  readUpgradePage,
  type SwitchableState,
} from "./read-upgrade";
import { selectProducts } from "./tenants/queries";
import * as queries from "./upgrade-queries";
import {
  insertUpgrade,
  lockListing,
  moveUpgrade,
  moveVersion,
  removeOtherRoutes,
  selectManifest,
  selectNewestUpgrade,
  selectOpenUpgrade,
  setOtherVersion,
  type UpgradeRow,
} from "./upgrade-queries";

/**
 * Moves an installation to another version: at once if it is not running, otherwise once the new version is healthy.
 * Throws NOT_FOUND, NOT_ALLOWED, STALE_REVISION, TERMS_CHANGED, WRONG_STATE, and BAD_INPUT with every issue.
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
    // Going back to what ran before never waits for a question.
    const terms = rollback === undefined ? await lockNewTerms(tx, locked) : undefined;
    requireAccepted(terms, input.acceptedTerms);
    const revision = await nextRevision(tx, id);
    await storeConfiguration(platform, tx, member, {
      installationId: id,
      revision,
      versionId: input.versionId,
      cause: rollback === undefined ? "upgrade" : "rollback",
      declared: listSettings(manifest),
      scope: scopeOf(manifest),
      outcomes: merged.outcomes,
      mappings: merged.mappings,
      schemaDigests: reviewedSchemas(products, stored.schemaDigests, input.mappings),
      stored: stored.settings,
    });
    if (terms !== undefined) {
      const { listingId } = locked;
      await recordAcceptance(platform, tx, member, { installationId: id, listingId, terms });
    }
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
  input: Omit<UpgradeInput, "openEndpoints" | "acceptedTerms">,
) {
  const { locked, state } = await lockToUpgrade(tx, member, id);
  if (locked.revision !== input.revision)
    throw new Problem(
      "STALE_REVISION",
      `Revision ${locked.revision} was saved in the meantime. Compare, then upgrade again.`,
    );
  const { rollback, manifest, target } = await requireTarget(tx, locked, input.versionId);
  // Both also before a check of its settings: the app sees them, and acts with the version's rights.
  if (target.pilot && input.pilot !== true)
    throw new Problem(
      "BAD_INPUT",
      `Version ${target.number} is a pilot version, which is not reviewed yet. Agree to run it first.`,
    );
  const refused = await selectRefusals(tx, member.organization.id, locked.listingId);
  if (asksForMore(locked, manifest, refused) && input.agree !== true)
    throw new Problem("BAD_INPUT", "The new version asks for more than you agreed to.", [NOT_AGREED]);
  const owner = { organizationId: member.organization.id, installationId: id };
  const stored = await carriedConfiguration(platform, tx, {
    owner,
    from: locked,
    to: manifest,
    previous: rollback?.revision,
  });
  const products = await selectProducts(tx, [locked.tenantId]);
  const merged = await mergeConfiguration(platform, tx, {
    owner,
    manifest,
    products,
    stored,
    answers: input,
  });
  return { locked, state, rollback, manifest, stored, products, merged };
}

function asksForMore({ manifest }: LockedInstallation, to: Manifest, refused: readonly { host: string }[]) {
  return compareRights(
    manifest,
    to,
    refused.map(({ host }) => host),
  ).isMore;
}

/** Tries a failed upgrade again, with its answers. Throws WRONG_STATE if the configuration was saved, or a host that it needs refused, since. */
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
    const { manifest } = await requireTarget(tx, locked, failed.toVersionId);
    const refused = await selectRefusals(tx, member.organization.id, locked.listingId);
    // Whoever started it agreed to all else.
    if (refused.some(({ at }) => at >= failed.createdAt) && asksForMore(locked, manifest, refused))
      throw new Problem(
        "WRONG_STATE",
        "Your organization has refused a host since this upgrade failed. Start a new upgrade, which asks again.",
      );
    if (!failed.rollback && (await lockNewTerms(tx, locked)) !== undefined)
      throw new Problem(
        "TERMS_CHANGED",
        "The publisher has new terms since this upgrade failed. Accept them on the installation's page, then retry.",
      );
    return startUpgrade(platform, tx, member, state, copyStart(failed));
  });
}

/** Whether an upgrade to the newest version needs no answer, for upgrading many at once. Throws NOT_FOUND. */
export async function readQuickUpgrade(
  platform: Platform,
  member: Member,
  id: string,
): Promise<QuickUpgrade> {
  const { installation, offer } = await readUpgradePage(platform, member, id);
  const isOpen = installation.upgrade?.state === "STARTING" || installation.upgrade?.state === "DRAINING";
  const refusal = refuseUpgrade(member, installation, isOpen)?.detail;
  if (refusal !== undefined) return { ready: null, why: refusal };
  if (offer === undefined || offer.rollback)
    return { ready: null, why: "It runs the newest version already." };
  const why = explainQuestions(offer);
  if (why !== undefined) return { ready: null, why: `${why} Open its upgrade page.` };
  return {
    ready: { versionId: offer.to.versionId, revision: offer.revision, to: offer.to.number },
    why: null,
  };
}

/** Locks an installation that can be upgraded now. */
async function lockToUpgrade(
  tx: Db,
  member: Member,
  id: string,
): Promise<{ locked: LockedInstallation; state: SwitchableState }> {
  const locked = await lockInstallation(tx, member.organization.id, id);
  const { state } = locked;
  const refusal = refuseUpgrade(member, locked, (await selectOpenUpgrade(tx, id)) !== undefined);
  if (refusal !== undefined || !isSwitchable(state)) throw refusal ?? new Problem("WRONG_STATE");
  return { locked, state };
}

/** @param isOpen an upgrade is in progress */
function refuseUpgrade(
  { organization }: Member,
  { state, test }: { state: InstallationState; test: boolean },
  isOpen: boolean,
): Problem | undefined {
  if (!mayOperate(organization.role, test))
    return new Problem(
      "NOT_ALLOWED",
      "Publishers can only upgrade a Test Launch. Ask an operator or an owner of your organization.",
    );
  if (!isSwitchable(state))
    return new Problem("WRONG_STATE", `You can't upgrade this installation now. ${REASONS[state]}`);
  if (isOpen) return new Problem("WRONG_STATE", "An upgrade is already in progress. Wait until it is done.");
  return undefined;
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
  const target = targets.find((one) => one.versionId === versionId);
  if (target === undefined)
    throw new Problem("NOT_FOUND", "This version is not available. Reload the page to see which ones are.");
  const manifest = await selectManifest(tx, versionId);
  return { manifest, target, rollback: previous?.versionId === versionId ? previous : undefined };
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
    if (!(await switchVersion(platform, tx, { organizationId, upgrade, manifest, from: state })))
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

interface Switch {
  organizationId: string;
  upgrade: UpgradeRow;
  /** Of the new version. */
  manifest: Manifest;
  from: SwitchableState;
}

/**
 * Switches version, revision and routes in one transaction: the next call goes to the new version, with its settings.
 * Changes nothing and returns false if the installation changed since the upgrade started.
 */
export async function switchVersion(
  platform: Platform,
  tx: Db,
  { organizationId, upgrade, manifest, from }: Switch,
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

/**
 * Fails the installation's upgrade if there is one that has not switched yet; the old version keeps running. Call it in a
 * transaction that locks the installation.
 */
export async function failUpgrade(
  platform: Platform,
  tx: Db,
  installation: { id: string; organizationId: string },
  reason: string,
): Promise<void> {
  const open = await queries.selectOpenUpgrade(tx, installation.id);
  if (open?.state !== "STARTING") return;
  await queries.moveUpgrade(tx, open.id, "STARTING", { state: "FAILED", reason });
  await queries.setOtherVersion(tx, installation.id, null);
  await recordAudit(tx, platform.keyring, {
    chain: installation.organizationId,
    actor: "worker",
    action: "upgrade.fail",
    subject: `upgrade:${open.id}`,
    details: { installationId: installation.id, reason },
  });
}

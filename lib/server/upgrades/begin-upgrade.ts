import type { UpgradeInput } from "@/lib/contract/installation";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { mergeConfiguration } from "../configurations/merge-configuration";
import { nextRevision } from "../configurations/queries";
import { schemasSeen } from "../configurations/schemas-seen";
import { storeConfiguration } from "../configurations/store-configuration";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import { notifyWorker } from "../database/notify-worker";
import { holdInstallation } from "../installations/change/queries";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { carriedConfiguration } from "./carried-configuration";
import { findTargets } from "./find-targets";
import * as queries from "./queries";
import { requireMovable, requireOperator } from "./require-movable";
import { switchVersion, type SwitchableState } from "./switch-version";

/**
 * Moves an installation to another version: at once where nothing runs, else once the new one is up and healthy.
 * Throws NOT_FOUND, NOT_ALLOWED, STALE_REVISION, WRONG_STATE, and BAD_INPUT with every issue.
 */
export async function beginUpgrade(
  platform: Platform,
  member: Member,
  id: string,
  input: UpgradeInput,
): Promise<{ upgradeId: string }> {
  const organizationId = member.organization.id;
  return platform.db.transaction(async (tx) => {
    const held = isId(id) ? await holdInstallation(tx, organizationId, id) : undefined;
    if (held === undefined) throw new Problem("NOT_FOUND");
    requireOperator(member, held.test);
    const state = await requireMovable(tx, id, held.state);
    if (held.revision !== input.revision)
      throw new Problem(
        "STALE_REVISION",
        `Revision ${held.revision} was saved meanwhile. Compare, then upgrade again.`,
      );
    const { rollback, manifest } = await requireTarget(tx, { ...held, id }, input.versionId);
    const place = { organizationId, installationId: id };
    const stored = await carriedConfiguration(platform, tx, place, held, manifest, rollback?.revision);
    const products = await selectProducts(tx, [held.tenantId]);
    const merged = await mergeConfiguration(platform, tx, place, manifest, products, stored, input);
    if (merged.issues.length > 0)
      throw new Problem(
        "BAD_INPUT",
        "The new version needs more answers: see the marked fields.",
        merged.issues,
      );
    const revision = await nextRevision(tx, id);
    await storeConfiguration(platform, tx, member, {
      installationId: id,
      revision,
      versionId: input.versionId,
      cause: rollback === undefined ? "upgrade" : "rollback",
      declared: manifest.app.fields,
      outcomes: merged.outcomes,
      mappings: merged.mappings,
      schemaDigests: schemasSeen(products, stored.schemaDigests, input.mappings),
      stored: stored.settings,
    });
    const upgradeId = await startUpgrade(platform, tx, member, state, {
      installationId: id,
      fromVersionId: held.versionId,
      toVersionId: input.versionId,
      fromRevision: held.revision,
      toRevision: revision,
      rollback: rollback !== undefined,
    });
    return { upgradeId };
  });
}

/** The manifest of a version that the installation may move to; whether that is the way back. */
export async function requireTarget(
  tx: Db,
  installation: Parameters<typeof findTargets>[1],
  versionId: string,
) {
  await queries.holdListing(tx, installation.listingId);
  if (versionId === installation.versionId)
    throw new Problem("WRONG_STATE", "The installation runs this version already.");
  const { targets, previous } = await findTargets(tx, installation);
  if (!targets.some((target) => target.versionId === versionId))
    throw new Problem(
      "NOT_FOUND",
      "There is no such version to move to. Load the page again to see which there are.",
    );
  const manifest = await queries.selectManifest(tx, versionId);
  return { manifest, rollback: previous?.versionId === versionId ? previous : undefined };
}

type Start = Pick<
  queries.UpgradeRow,
  "installationId" | "fromVersionId" | "toVersionId" | "fromRevision" | "toRevision" | "rollback"
>;

/** The row of an upgrade whose revision is stored. A worker goes on from there, unless nothing runs: then it is done. */
export async function startUpgrade(
  platform: Platform,
  tx: Db,
  member: Member,
  state: SwitchableState,
  start: Start,
): Promise<string> {
  const { installationId, fromVersionId, toVersionId, toRevision, rollback } = start;
  const upgrade = await queries.insertUpgrade(tx, { ...start, createdBy: member.userId }).catch(refuseSecond);
  if (state === "RUNNING") await queries.setOtherVersion(tx, installationId, toVersionId);
  else await switchAtOnce(platform, tx, member, upgrade, state);
  await notifyWorker(tx);
  await recordAudit(tx, platform.keyring, {
    chain: member.organization.id,
    actor: `user:${member.userId}`,
    action: rollback ? "installation.roll-back" : "installation.upgrade",
    subject: `installation:${installationId}`,
    details: { upgradeId: upgrade.id, fromVersionId, toVersionId, revision: toRevision },
  });
  return upgrade.id;
}

async function switchAtOnce(
  platform: Platform,
  tx: Db,
  member: Member,
  upgrade: queries.UpgradeRow,
  state: SwitchableState,
): Promise<void> {
  const manifest = await queries.selectManifest(tx, upgrade.toVersionId);
  if (!(await switchVersion(platform, tx, member.organization.id, upgrade, manifest, state)))
    throw new Error(`installation ${upgrade.installationId} moved although it is held`);
}

function refuseSecond(error: unknown): never {
  if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
  throw new Problem("WRONG_STATE", "Another upgrade has begun at the same moment. Wait until it has ended.");
}

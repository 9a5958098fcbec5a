import { listSettings } from "@/lib/contract/manifest-terms";
import { isDeepStrictEqual } from "node:util";
import type { ConfigurationInput, SettingAction } from "@/lib/contract/installation";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { SettingOutcome } from "@/lib/domain/configuration";
import type { MergedAnswers } from "@/lib/domain/configuration-answers";
import { mayOperate } from "@/lib/domain/installation";
import { recordAudit } from "../../audit/record-audit";
import {
  reviewedOtherSchemas,
  reviewedSchemas,
  type SchemaDigests,
} from "../../configurations/mapped-schemas";
import { mergeConfiguration, type StoredConfiguration } from "../../configurations/merge-configuration";
import {
  nextRevision,
  selectConfiguration,
  type RevisionRow,
  type StoredSetting,
} from "../../configurations/queries";
import { storeConfiguration } from "../../configurations/store-configuration";
import type { Db } from "../../database/connect";
import { endParking } from "../../instances/parking-queries";
import type { Platform } from "../../platform/platform";
import { selectProducts, type ProductRow } from "../../tenants/queries";
import { lockInstallation, moveRevision, type LockedInstallation } from "../queries";
import { selectOpenUpgrade } from "../upgrade-queries";

/**
 * Saves a new revision for the next call; if nothing changes, returns the current one. Throws STALE_REVISION if another
 * save came first, BAD_INPUT with every issue, WRONG_STATE while it is uninstalled or upgraded.
 */
export async function reconfigureInstallation(
  platform: Platform,
  member: Member,
  id: string,
  input: ConfigurationInput,
): Promise<{ revision: number }> {
  return platform.db.transaction(async (tx) => {
    const locked = await lockToConfigure(tx, member, id, input.revision);
    return saveConfiguration(platform, tx, member, locked, { cause: "configure", answers: () => input });
  });
}

/**
 * Locks an installation to change its configuration, which must be at `revision`. Throws NOT_FOUND for an installation of
 * another organization, NOT_ALLOWED, WRONG_STATE while it is uninstalled or upgraded, and STALE_REVISION.
 */
export async function lockToConfigure(
  tx: Db,
  member: Member,
  id: string,
  revision: number,
): Promise<LockedInstallation> {
  const locked = await lockInstallation(tx, member.organization.id, id);
  if (!mayOperate(member.organization.role, locked.test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only configure a Test Launch. Ask an operator or an owner of your organization.",
    );
  if (locked.state === "UNINSTALLING")
    throw new Problem("WRONG_STATE", "You can't configure this installation. It is being uninstalled.");
  if (locked.state === "UNINSTALLED")
    throw new Problem("WRONG_STATE", "This installation was uninstalled. Launch the app again instead.");
  if ((await selectOpenUpgrade(tx, id))?.state === "STARTING")
    throw new Problem(
      "WRONG_STATE",
      "An upgrade with the current configuration is in progress. Wait until it is done, then save again.",
    );
  if (locked.revision !== revision)
    throw new Problem(
      "STALE_REVISION",
      `Revision ${locked.revision} was saved in the meantime. Compare, then save again.`,
    );
  return locked;
}

interface Answers {
  settings: Readonly<Record<string, SettingAction>>;
  mappings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The schemas that the mappings were made for; by default, the answered products were reviewed now. */
  schemas?: SchemaDigests;
}

interface Save {
  cause: "configure" | "restore";
  restoredFrom?: number;
  answers: (stored: RevisionRow, products: readonly ProductRow[]) => Answers;
}

/** Writes a revision with these answers and makes it current. Writes none if nothing changes. Throws BAD_INPUT. */
export async function saveConfiguration(
  platform: Platform,
  tx: Db,
  member: Member,
  locked: LockedInstallation,
  { cause, restoredFrom, answers }: Save,
): Promise<{ revision: number }> {
  const { id, versionId, manifest } = locked;
  const organizationId = member.organization.id;
  const stored = await selectConfiguration(tx, id, locked.revision);
  const products = await selectProducts(tx, [locked.tenantId]);
  const owner = { organizationId, installationId: id };
  const given = answers(stored, products);
  const merged = await mergeConfiguration(platform, tx, owner, manifest, products, stored, given);
  if (merged.issues.length > 0)
    throw new Problem("BAD_INPUT", "The configuration is incomplete. Fix the marked fields.", merged.issues);
  const changes = findChanges(stored, merged);
  const schemaDigests =
    given.schemas === undefined
      ? reviewedSchemas(products, stored.schemaDigests, given.mappings)
      : reviewedSchemas(products, given.schemas, {});
  const changed = Object.values(changes).some((names) => names.length > 0);
  if (!changed && !reviewedOtherSchemas(stored.schemaDigests, schemaDigests))
    return { revision: locked.revision };
  const revision = await nextRevision(tx, id);
  await storeConfiguration(platform, tx, member, {
    installationId: id,
    revision,
    versionId,
    cause,
    restoredFrom,
    declared: listSettings(manifest),
    outcomes: merged.outcomes,
    mappings: merged.mappings,
    schemaDigests,
    stored: stored.settings,
  });
  await moveRevision(tx, organizationId, locked, revision);
  // The new configuration may be what the app needs.
  await endParking(tx, versionId, "CONFIGURATION", member.userId);
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: `installation.${cause}`,
    subject: `installation:${id}`,
    details: { revision, ...(restoredFrom === undefined ? {} : { restoredFrom }), ...changes },
  });
  return { revision };
}

/**
 * The settings and products that a save changes; only names, because they go into the audit. An entered secret always
 * counts as set: otherwise a save would confirm a guess of the stored one.
 */
function findChanges(
  stored: StoredConfiguration,
  { outcomes, mappings }: Pick<MergedAnswers, "outcomes" | "mappings">,
) {
  const before = new Map(Object.entries(stored.settings).filter(([, { kind }]) => kind !== "gone"));
  const after = new Set(outcomes.map(({ name }) => name));
  const mapped = new Map(stored.mappings.map(({ productName, fields }) => [productName, fields]));
  return {
    set: outcomes.filter((outcome) => isSet(outcome, before.get(outcome.name))).map(({ name }) => name),
    cleared: [...before.keys()].filter((name) => !after.has(name)),
    mapped: mappings
      .filter(({ productName, fields }) => !isDeepStrictEqual(mapped.get(productName) ?? {}, fields))
      .map(({ productName }) => productName),
  };
}

function isSet(outcome: SettingOutcome, before: StoredSetting | undefined): boolean {
  if (outcome.store === "keep") return false;
  if (outcome.store === "sealed") return true;
  return before?.kind !== "plain" || before.value !== outcome.value;
}

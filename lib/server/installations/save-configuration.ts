import { isDeepStrictEqual } from "node:util";
import type { ConfigurationInput, RestoreInput, SettingAction } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { isSensitive, listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import type { MergedAnswers, SettingOutcome } from "@/lib/domain/catalog/configuration";
import { scopeOf } from "@/lib/domain/catalog/rights";
import type { Member } from "@/lib/domain/platform/actor";
import { selectVersionsByIds } from "../catalog/version-queries";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { endParking } from "../runtime/scale-queries";
import {
  mergeConfiguration,
  reviewedOtherSchemas,
  reviewedSchemas,
  type SchemaDigests,
  type StoredConfiguration,
} from "./configurations/merge-configuration";
import {
  nextRevision,
  type RevisionRow,
  selectConfiguration,
  selectServed,
  type StoredSetting,
} from "./configurations/queries";
import { storeConfiguration } from "./configurations/store-configuration";
import { type LockedInstallation, lockInstallation, moveRevision, requireOperator } from "./queries";
import { type ProductRow, selectProducts } from "./tenants/queries";
import { selectOpenUpgrade } from "./upgrade-queries";

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
  requireOperator(member.organization.role, locked.test, "configure a Test Launch");
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
  allowMissingFields?: boolean;
  /** The schemas that the mappings were made for; by default, the answered products were reviewed now. */
  schemas?: SchemaDigests;
}

interface Save {
  cause: "configure" | "restore";
  restoredFrom?: number;
  answers: (stored: RevisionRow, products: readonly ProductRow[]) => Answers;
}

/** Writes a revision with these answers and makes it current. Writes none if nothing changes. Throws BAD_INPUT. */
async function saveConfiguration(
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
  const merged = await mergeConfiguration(platform, tx, {
    owner,
    manifest,
    products,
    stored,
    answers: given,
  });
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
    scope: scopeOf(manifest),
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

/**
 * Saves an earlier revision as a new one: its plain settings and mappings, with the current secrets. Skips products that
 * are gone; products added since keep their mapping. Throws WRONG_STATE for a revision of another version, BAD_INPUT with
 * every issue if it is not valid anymore.
 */
export async function restoreConfiguration(
  platform: Platform,
  member: Member,
  id: string,
  revision: string,
  input: RestoreInput,
): Promise<{ revision: number }> {
  return platform.db.transaction(async (tx) => {
    const locked = await lockToConfigure(tx, member, id, input.revision);
    const number = /^[1-9]\d{0,8}$/.test(revision) ? Number(revision) : 0;
    const [source] = await selectServed(tx, id, number, 1);
    if (source === undefined || source.revision !== number) throw new Problem("NOT_FOUND");
    if (source.versionId !== locked.versionId) {
      const [then] = await selectVersionsByIds(tx, [source.versionId]);
      throw new Problem(
        "WRONG_STATE",
        `Revision ${number} belongs to version ${then?.number}, but ${locked.number} is running. You can only restore revisions of the running version.`,
      );
    }
    return saveConfiguration(platform, tx, member, locked, {
      cause: "restore",
      restoredFrom: number,
      answers: (now, products) => ({
        settings: restoreSettings(locked.manifest, source, now.settings),
        mappings: restoreMappings(
          locked.manifest,
          source,
          products.map(({ name }) => name),
        ),
        // It was accepted then, and the schema may have changed.
        allowMissingFields: true,
        schemas: restoreSchemas(source, now),
      }),
    });
  });
}

/** Clears what was absent then; for a required setting, that is an issue. Leaves out secrets, which keeps them. */
function restoreSettings(
  manifest: Manifest,
  source: RevisionRow,
  now: Readonly<Record<string, StoredSetting>>,
): Record<string, SettingAction> {
  const [then, current] = [new Map(Object.entries(source.settings)), new Map(Object.entries(now))];
  const actions = listSettings(manifest).flatMap((setting): [string, SettingAction][] => {
    const { name } = setting;
    const before = then.get(name);
    const isSecret =
      isSensitive(setting) ||
      current.get(name)?.kind === "sealed" ||
      (before !== undefined && before.kind !== "plain");
    if (isSecret) return [];
    if (before?.kind === "plain") return [[name, { action: "set", value: before.value }]];
    return [[name, { action: "clear" }]];
  });
  return Object.fromEntries(actions);
}

/** An empty path clears. Leaves out products that the revision did not have, which keeps their mapping. */
function restoreMappings(
  manifest: Manifest,
  source: RevisionRow,
  products: readonly string[],
): Record<string, Record<string, string>> {
  const fields = manifest.core?.fields ?? [];
  const present = source.mappings.filter(({ productName }) => products.includes(productName));
  return Object.fromEntries(
    present.map((mapping) => {
      const paths = new Map(Object.entries(mapping.fields));
      return [
        mapping.productName,
        Object.fromEntries(fields.map(({ name }) => [name, paths.get(name) ?? ""])),
      ];
    }),
  );
}

type Mapped = Pick<RevisionRow, "mappings" | "schemaDigests">;

/** A restored mapping belongs to the schema it was made for; an unchanged one keeps the schema last reviewed. */
function restoreSchemas(source: Mapped, now: Mapped): SchemaDigests {
  const fieldsNow = new Map(now.mappings.map(({ productName, fields }) => [productName, fields]));
  const madeFor = new Map(Object.entries(source.schemaDigests));
  const restored = source.mappings.filter(
    ({ productName, fields }) => !isDeepStrictEqual(fields, fieldsNow.get(productName)),
  );
  const schemas = restored.map(({ productName }) => [productName, madeFor.get(productName) ?? ""]);
  return { ...now.schemaDigests, ...Object.fromEntries(schemas) };
}

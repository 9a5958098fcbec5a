import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import type { ProductView } from "@/lib/contract/installations/configuration-view";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import {
  type Answers,
  askedBy,
  fitsSetting,
  type KeptSetting,
  mergeAnswers,
  type MergedAnswers,
} from "@/lib/domain/catalog/configuration";
import type { Mapping } from "@/lib/domain/catalog/mapping/check-mappings";
import { findNewMissing } from "@/lib/domain/catalog/mapping/check-path";
import { settingsForRollback } from "@/lib/domain/installations/upgrade";
import { openSettingWith } from "../../platform/data-key";
import type { Db } from "../../platform/database/connect";
import { selectDataKey } from "../../platform/key-queries";
import type { Platform } from "../../platform/platform";
import type { ProductRow } from "../tenants/queries";
import { type RevisionRow, selectConfiguration, type StoredSetting } from "./queries";

export interface ConfigurationOwner {
  organizationId: string;
  installationId: string;
}

export interface StoredConfiguration {
  settings: Readonly<Record<string, StoredSetting>>;
  mappings: readonly Mapping[];
}

interface Merge {
  owner: ConfigurationOwner;
  /** What asks. */
  manifest: Manifest;
  /** Of the tenant. */
  products: readonly { name: string; schema: unknown }[];
  stored: StoredConfiguration;
  answers: Answers;
}

/** Applies answers to the stored configuration. Writes nothing. */
export async function mergeConfiguration(
  platform: Platform,
  db: Db,
  { owner, manifest, products, stored, answers }: Merge,
): Promise<MergedAnswers> {
  const kept = await keptSettings(platform, db, owner, listSettings(manifest), stored.settings);
  const productNames = products.map((product) => product.name);
  const { mappings } = stored;
  const merged = mergeAnswers(askedBy(manifest), { kept, mappings, productNames }, answers);
  return refuseMissingFields(manifest, products, { before: mappings, answers }, merged);
}

/** Adds an issue for each new mapping to a field that the product's schema lacks, unless the answers allow it. */
export function refuseMissingFields(
  { core }: Manifest,
  products: readonly { name: string; schema: unknown }[],
  { before, answers }: { before: readonly Mapping[]; answers: Answers },
  merged: MergedAnswers,
): MergedAnswers {
  if (answers.allowMissingFields === true) return merged;
  const missing = findNewMissing({ declared: core?.fields ?? [], products, before, now: merged.mappings });
  return { ...merged, issues: [...merged.issues, ...missing] };
}

/** The stored values that a manifest's settings can keep. Secrets are opened only to check whether they still fit. */
export async function keptSettings(
  platform: Platform,
  db: Db,
  owner: ConfigurationOwner,
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): Promise<Map<string, KeptSetting>> {
  const byName = new Map(Object.entries(stored));
  const hasSecrets = declared.some(({ name }) => byName.get(name)?.kind === "sealed");
  const key = hasSecrets ? await selectDataKey(db, owner.organizationId) : undefined;
  const kept = new Map<string, KeptSetting>();
  for (const setting of declared) {
    const found = byName.get(setting.name);
    if (found?.kind === "plain") kept.set(setting.name, found);
    if (found?.kind === "sealed")
      kept.set(setting.name, { kind: "sealed", type: found.type, fits: fits(setting, found.sealed) });
  }
  return kept;

  /** A value that cannot be opened does not fit: the customer enters it again, and can still save everything else. */
  function fits(setting: Setting, sealed: string): boolean {
    const { name } = setting;
    try {
      if (key === undefined) throw new Error(`organization ${owner.organizationId} has no data key`);
      return fitsSetting(setting, openSettingWith(platform.keyring, key, { ...owner, name }, sealed));
    } catch (error) {
      const { installationId } = owner;
      platform.log.error({ err: error, installationId, setting: name }, "a sealed setting cannot be opened");
      return false;
    }
  }
}

type Carried = Pick<RevisionRow, "settings" | "mappings" | "schemaDigests">;

interface Carry {
  owner: ConfigurationOwner;
  from: { revision: number; manifest: Manifest };
  to: Manifest;
  /** For a rollback: the last revision of the version that it returns to. */
  previous: number | undefined;
}

/** The stored configuration that an upgrade starts from. A rollback adds the settings that only the previous version has. */
export async function carriedConfiguration(
  platform: Platform,
  db: Db,
  { owner, from: { revision, manifest: from }, to, previous }: Carry,
): Promise<Carried> {
  const now = await selectConfiguration(db, owner.installationId, revision);
  if (previous === undefined) return now;
  const before = await selectConfiguration(db, owner.installationId, previous);
  const kept = ({ settings }: RevisionRow) => keptSettings(platform, db, owner, listSettings(to), settings);
  const sources = settingsForRollback({ from, to, now: await kept(now), before: await kept(before) });
  const settings = new Map(Object.entries(now.settings));
  const older = new Map(Object.entries(before.settings));
  for (const [name, source] of sources) {
    const restored = older.get(name);
    if (source === "before" && restored !== undefined) settings.set(name, restored);
  }
  return {
    settings: Object.fromEntries(settings),
    mappings: mappingsForRollback(from, now.mappings, before.mappings),
    schemaDigests: now.schemaDigests,
  };
}

/** Restores the older paths of mapping fields that the version it leaves does not declare, as with settings. */
function mappingsForRollback(from: Manifest, now: readonly Mapping[], before: readonly Mapping[]): Mapping[] {
  const declared = new Set((from.core?.fields ?? []).map((field) => field.name));
  const older = new Map(before.map(({ productName, fields }) => [productName, Object.entries(fields)]));
  return now.map(({ productName, fields }) => {
    const restored = (older.get(productName) ?? []).filter(([name]) => !declared.has(name));
    return { productName, fields: Object.fromEntries([...restored, ...Object.entries(fields)]) };
  });
}

/** SHA-256 (hex) of schemas, by product. */
export type SchemaDigests = Readonly<Record<string, string>>;

/**
 * The schema for which each product's mapping was last reviewed. An answered product was reviewed now, even if its paths
 * did not change; the others keep their digest, and so the notice that their schema changed.
 */
export function reviewedSchemas(
  products: readonly Pick<ProductRow, "name" | "schemaDigest">[],
  before: SchemaDigests,
  answered: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const known = new Map(Object.entries(before));
  return Object.fromEntries(
    products.map(({ name, schemaDigest }) => [
      name,
      Object.hasOwn(answered, name) ? schemaDigest : (known.get(name) ?? schemaDigest),
    ]),
  );
}

/** Whether a mapping was reviewed for a different schema than before. New products don't count. */
export function reviewedOtherSchemas(before: SchemaDigests, after: SchemaDigests): boolean {
  const known = new Map(Object.entries(before));
  return Object.entries(after).some(([name, digest]) => (known.get(name) ?? digest) !== digest);
}

/** Whether the product's schema differs from the one its mapping was saved for. Unknown digests count as unchanged. */
export function changedSinceMapped(
  { name, schemaDigest }: Pick<ProductRow, "name" | "schemaDigest">,
  digests: SchemaDigests,
): boolean {
  const mappedFor = new Map(Object.entries(digests)).get(name) ?? "";
  return mappedFor !== "" && schemaDigest !== "" && mappedFor !== schemaDigest;
}

export function viewProduct(product: ProductRow, digests: SchemaDigests): ProductView {
  const { name, schema, sample, changedAt } = product;
  return {
    name,
    schema,
    sample: sample ?? undefined,
    changedAt: changedAt.toISOString(),
    changedSinceMapped: changedSinceMapped(product, digests),
  };
}

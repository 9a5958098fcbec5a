import type { ConfigurationView, ProductView } from "@/lib/contract/configuration-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { selectInstallation } from "../installations/queries";
import type { Platform } from "../platform/platform";
import { selectProducts, type ProductRow } from "../tenants/queries";
import { knownMappingField, knownSetting } from "./known-members";
import { selectConfiguration } from "./queries";
import { viewSettings } from "./view-settings";

/** What the configuration form of an installation shows, without one secret. Throws NOT_FOUND for a foreign one. */
export async function readConfiguration(
  platform: Platform,
  member: Member,
  id: string,
): Promise<ConfigurationView> {
  const { db } = platform;
  const found = isId(id) ? await selectInstallation(db, member.organization.id, id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const [stored, products] = await Promise.all([
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
  ]);
  if (stored === undefined) throw new Error(`installation ${id} has no revision ${found.revision}`);
  const { manifest } = found;
  return {
    installationId: id,
    name: `${found.publisherSlug}/${found.appName}`,
    title: found.title,
    version: found.number,
    test: found.test,
    tenantName: found.tenantName,
    revision: stored.revision,
    cause: stored.cause,
    savedAt: stored.createdAt.toISOString(),
    savedBy: stored.createdBy,
    declared: manifest.app.fields.map(knownSetting),
    mappingFields: (manifest.core?.fields ?? []).map(knownMappingField),
    settings: viewSettings(manifest.app.fields, stored.settings),
    mappings: stored.mappings,
    products: products.map((product) => viewProduct(product, stored.schemaDigests)),
  };
}

export function viewProduct(product: ProductRow, digests: Readonly<Record<string, string>>): ProductView {
  const { name, schema, sample, changedAt } = product;
  return {
    name,
    schema,
    sample: sample ?? undefined,
    changedAt: changedAt.toISOString(),
    changedSinceMapped: changedSinceMapped(product, digests),
  };
}

/** Is its schema another than the one that its mapping was saved for? What is not known counts as unchanged. */
export function changedSinceMapped(
  { name, schemaDigest }: Pick<ProductRow, "name" | "schemaDigest">,
  digests: Readonly<Record<string, string>>,
): boolean {
  const mappedFor = new Map(Object.entries(digests)).get(name) ?? "";
  return mappedFor !== "" && schemaDigest !== "" && mappedFor !== schemaDigest;
}

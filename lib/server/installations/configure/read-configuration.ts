import { checksConfiguration, listSettings } from "@/lib/contract/manifest-terms";
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { Member } from "@/lib/domain/actor";
import { viewProduct } from "../../configurations/mapped-schemas";
import { selectConfiguration } from "../../configurations/queries";
import { knownMappingField, knownSetting, viewSettings } from "@/lib/domain/view-settings";
import type { Platform } from "../../platform/platform";
import { selectProducts } from "../../tenants/queries";
import { requireInstallation } from "../queries";

/** The configuration form's data, without secrets. Throws NOT_FOUND for an installation of another organization. */
export async function readConfiguration(
  platform: Platform,
  member: Member,
  id: string,
): Promise<ConfigurationView> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const [stored, products] = await Promise.all([
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
  ]);
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
    declared: listSettings(manifest).map(knownSetting),
    mappingFields: (manifest.core?.fields ?? []).map(knownMappingField),
    checksConfiguration: checksConfiguration(manifest),
    settings: viewSettings(listSettings(manifest), stored.settings),
    mappings: stored.mappings,
    products: products.map((product) => viewProduct(product, stored.schemaDigests)),
  };
}

import { checksConfiguration, listSettings } from "@/lib/contract/manifest-terms";
import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { newlyPublic } from "@/lib/domain/endpoints/endpoint";
import { compareManifests } from "@/lib/domain/manifest/compare/compare-manifests";
import { planUpgrade } from "@/lib/domain/upgrade";
import { viewProduct } from "../configurations/mapped-schemas";
import { keptSettings } from "../configurations/merge-configuration";
import { selectConfiguration, type StoredSetting } from "../configurations/queries";
import { knownMappingField, knownSetting, viewSettings } from "@/lib/domain/view-settings";
import { findTargets, newestAbove, viewTarget, type Targets } from "../installations/find-targets";
import { requireInstallation } from "../installations/queries";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { carriedConfiguration } from "./carried-configuration";
import { selectManifest } from "./queries";

/** What an upgrade would change and ask; to the newest version by default. Throws NOT_FOUND if there is none. */
export async function readUpgrade(
  platform: Platform,
  member: Member,
  id: string,
  versionId?: string,
): Promise<UpgradeOffer> {
  const { db } = platform;
  const organizationId = member.organization.id;
  const found = await requireInstallation(db, organizationId, id);
  const targets = await findTargets(db, found);
  const to = chooseTarget(targets, versionId);
  const rollback = to.versionId === targets.previous?.versionId;
  const [target, now, products] = await Promise.all([
    selectManifest(db, to.versionId),
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
  ]);
  const owner = { organizationId, installationId: id };
  const previous = rollback ? targets.previous?.revision : undefined;
  const carried = await carriedConfiguration(platform, db, owner, found, target, previous);
  const plan = planUpgrade({
    from: found.manifest,
    to: target,
    storedNames: storedNames(carried.settings),
    kept: await keptSettings(platform, db, owner, listSettings(target), carried.settings),
    storedMappings: carried.mappings,
    productNames: products.map((product) => product.name),
  });
  return {
    installationId: id,
    title: found.title,
    name: `${found.publisherSlug}/${found.appName}`,
    test: found.test,
    tenantName: found.tenantName,
    revision: found.revision,
    from: viewTarget(targets.current),
    to: viewTarget(to),
    rollback,
    targets: targets.targets.map(viewTarget),
    changes: compareManifests(found.manifest, target).map(({ kind, change, name, title, details }) => ({
      kind,
      change,
      name,
      title,
      details,
    })),
    declared: listSettings(target).map(knownSetting),
    mappingFields: (target.core?.fields ?? []).map(knownMappingField),
    checksConfiguration: checksConfiguration(target),
    settings: viewSettings(listSettings(target), carried.settings),
    mappings: carried.mappings.map(({ productName, fields }) => ({ productName, fields })),
    products: products.map((product) => viewProduct(product, now.schemaDigests)),
    publicEndpoints: newlyPublic(found.manifest, target),
    ...plan,
  };
}

function chooseTarget(targets: Targets, versionId: string | undefined) {
  const chosen =
    versionId === undefined
      ? newestAbove(targets)
      : targets.targets.find((target) => target.versionId === versionId);
  if (chosen === undefined)
    throw new Problem("NOT_FOUND", "No such version is available. Reload the page to see which ones are.");
  return chosen;
}

/** Leaves out scrubbed values, of which only the name is left. */
function storedNames(settings: Readonly<Record<string, StoredSetting>>): string[] {
  return Object.entries(settings).flatMap(([name, { kind }]) => (kind === "gone" ? [] : [name]));
}

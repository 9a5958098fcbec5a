import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { compareManifests } from "@/lib/domain/manifest/compare/compare-manifests";
import { planUpgrade } from "@/lib/domain/upgrade";
import { knownMappingField, knownSetting } from "../configurations/known-members";
import { keptSettings } from "../configurations/kept-settings";
import { selectConfiguration, type StoredSetting } from "../configurations/queries";
import { viewProduct } from "../configurations/read-configuration";
import { viewSettings } from "../configurations/view-settings";
import { selectInstallation } from "../installations/queries";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { carriedConfiguration } from "./carried-configuration";
import { findTargets, newestAbove, type Targets, viewTarget } from "./find-targets";
import { selectManifest } from "./queries";

/** What moving to a version would change and ask. Without `versionId`: the newest. NOT_FOUND where there is none. */
export async function readUpgrade(
  platform: Platform,
  member: Member,
  id: string,
  versionId?: string,
): Promise<UpgradeOffer> {
  const { db } = platform;
  const organizationId = member.organization.id;
  const found = isId(id) ? await selectInstallation(db, organizationId, id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const moves = await findTargets(db, found);
  const to = chooseTarget(moves, versionId);
  const rollback = to.versionId === moves.previous?.versionId;
  const [target, now, products] = await Promise.all([
    selectManifest(db, to.versionId),
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
  ]);
  if (now === undefined) throw new Error(`installation ${id} has no revision ${found.revision}`);
  const place = { organizationId, installationId: id };
  const previous = rollback ? moves.previous?.revision : undefined;
  const carried = await carriedConfiguration(platform, db, place, found, target, previous);
  const plan = planUpgrade({
    from: found.manifest,
    to: target,
    storedNames: namesOf(carried.settings),
    kept: await keptSettings(platform, db, place, target.app.fields, carried.settings),
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
    from: viewTarget(moves.current),
    to: viewTarget(to),
    rollback,
    targets: moves.targets.map(viewTarget),
    changes: compareManifests(found.manifest, target).map(({ kind, change, name, title, details }) => ({
      kind,
      change,
      name,
      title,
      details,
    })),
    declared: target.app.fields.map(knownSetting),
    mappingFields: (target.core?.fields ?? []).map(knownMappingField),
    settings: viewSettings(target.app.fields, carried.settings),
    mappings: carried.mappings.map(({ productName, fields }) => ({ productName, fields })),
    products: products.map((product) => viewProduct(product, now.schemaDigests)),
    ...plan,
  };
}

function chooseTarget(moves: Targets, versionId: string | undefined) {
  const chosen =
    versionId === undefined
      ? newestAbove(moves)
      : moves.targets.find((target) => target.versionId === versionId);
  if (chosen === undefined) throw new Problem("NOT_FOUND", "There is no version to move to.");
  return chosen;
}

/** What is stored: of what was scrubbed only the name is left. */
function namesOf(settings: Readonly<Record<string, StoredSetting>>): string[] {
  return Object.entries(settings).flatMap(([name, { kind }]) => (kind === "gone" ? [] : [name]));
}

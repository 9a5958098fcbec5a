import type { InstallationView } from "@/lib/contract/installation-view";
import type { Setting } from "@/lib/contract/manifest";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { selectConfiguration } from "../configurations/queries";
import { viewSettings } from "../configurations/view-settings";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { findTargets, newestAbove, viewTarget } from "../upgrades/find-targets";
import { viewNewestUpgrade } from "../upgrades/view-upgrade";
import { changedProducts } from "./changed-products";
import { selectInstallation, selectNewestInstance, selectRoutes } from "./queries";

/** One of the organization's installations, whole, without its secrets. Throws NOT_FOUND for any other. */
export async function readInstallation(
  platform: Platform,
  member: Member,
  id: string,
): Promise<InstallationView> {
  const { db } = platform;
  const found = isId(id) ? await selectInstallation(db, member.organization.id, id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const [instance, routes, configuration, products, moves] = await Promise.all([
    selectNewestInstance(db, found.versionId),
    selectRoutes(db, id),
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
    findTargets(db, found),
  ]);
  if (configuration === undefined) throw new Error(`installation ${id} has no revision ${found.revision}`);
  const { manifest } = found;
  const newest = newestAbove(moves);
  const previous = moves.targets.find((target) => target.versionId === moves.previous?.versionId);
  return {
    id,
    state: found.state,
    reason: found.reason,
    test: found.test,
    title: found.title,
    name: `${found.publisherSlug}/${found.appName}`,
    publisherName: found.publisherName,
    version: found.number,
    imageDigest: found.imageDigest,
    tenant: {
      id: found.tenantId,
      name: found.tenantName,
      hostName: found.tenantHostName,
      coreApiUrl: found.coreApiUrl,
      sandbox: found.tenantSandbox,
    },
    createdAt: found.createdAt.toISOString(),
    createdBy: found.createdBy,
    updatedAt: found.updatedAt.toISOString(),
    instance:
      instance === undefined ? null : { ...instance, readyAt: instance.readyAt?.toISOString() ?? null },
    configuration: {
      revision: configuration.revision,
      savedAt: configuration.createdAt.toISOString(),
      savedBy: configuration.createdBy,
      settings: shownSettings(manifest.app.fields, configuration.settings),
      mappings: configuration.mappings,
      mappingFields: (manifest.core?.fields ?? []).map(({ name, title, required }) => ({
        name,
        title,
        required: required === true,
      })),
    },
    routes: routes.map(({ id: routeId, endedAt, ...route }) => ({
      ...route,
      routeId,
      address: `${platform.environment.PLATFORM_GATEWAY_URL}/r/${routeId}`,
      ended: endedAt !== null,
    })),
    upgradeTo: newest === undefined ? null : viewTarget(newest),
    rollbackTo: previous === undefined ? null : viewTarget(previous),
    upgrade: await viewNewestUpgrade(db, id, found, moves),
    changedProducts: changedProducts(manifest, configuration, products),
  };
}

type ShownSetting = InstallationView["configuration"]["settings"][number];

function shownSettings(
  declared: readonly Setting[],
  stored: Parameters<typeof viewSettings>[1],
): ShownSetting[] {
  const titles = new Map(declared.map((setting) => [setting.name, setting]));
  return viewSettings(declared, stored).map((view): ShownSetting => {
    const setting = titles.get(view.name);
    const title = setting?.title ?? view.name;
    if (view.sensitive)
      return {
        name: view.name,
        title,
        sensitive: true,
        configured: view.configured,
        updatedAt: view.updatedAt,
        by: view.by,
      };
    const chosen =
      setting?.type === "Select"
        ? setting.values?.find((item) => item.value === view.value)?.text
        : undefined;
    return {
      name: view.name,
      title,
      sensitive: false,
      configured: view.value !== undefined,
      shown: chosen ?? view.value,
    };
  });
}

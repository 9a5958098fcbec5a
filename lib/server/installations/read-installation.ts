import type { HealthHistory } from "@/lib/contract/health-history";
import type { InstallationState } from "@/lib/contract/installation-states";
import type { InstallationView } from "@/lib/contract/installation-view";
import type { Manifest, Setting } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import type { Member } from "@/lib/domain/actor";
import { divideHistory, joinStays } from "@/lib/domain/health-history/divide-history";
import { traceHealth } from "@/lib/domain/health-history/trace-health";
import { missingPaths } from "@/lib/domain/mapping/check-path";
import { selectPeriods } from "../app-metrics/period-queries";
import { changedSinceMapped } from "../configurations/mapped-schemas";
import { selectConfiguration, type RevisionRow } from "../configurations/queries";
import { viewSettings } from "@/lib/domain/view-settings";
import { mayReadLogs } from "@/lib/domain/listing";
import { selectEvents } from "../health-history/queries";
import { selectLastLogs } from "../health/queries";
import { addHealth, readVersionFacts, type VersionFacts } from "../health/read-health";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { selectProducts, type ProductRow } from "../tenants/queries";
import { findTargets, newestAbove, viewNewestUpgrade, viewTarget } from "./find-targets";
import { routeUrl } from "../calls/route-url";
import { requireInstallation, selectRoutes } from "./queries";

/** One of the organization's installations, without its secrets. Throws NOT_FOUND for any other. */
export async function readInstallation(
  platform: Platform,
  member: Member,
  id: string,
): Promise<InstallationView> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const seesLogs = mayReadLogs(member, found.publisherId);
  const [[health], instance, routes, configuration, products, targets] = await Promise.all([
    addHealth(db, [found]),
    viewInstance(db, found, seesLogs),
    selectRoutes(db, id),
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
    findTargets(db, found),
  ]);
  const { manifest } = found;
  const routeBase = routeUrl(platform.environment, found.routeBase);
  const newest = newestAbove(targets);
  const previous = targets.targets.find((target) => target.versionId === targets.previous?.versionId);
  return {
    id,
    state: found.state,
    reason: found.reason,
    reasonCode: found.reasonCode,
    health: health?.health ?? { status: found.state, problems: [] },
    installedAt: found.installedAt?.toISOString() ?? null,
    test: found.test,
    title: found.title,
    name: `${found.publisherSlug}/${found.appName}`,
    publisherName: found.publisherName,
    listing: { state: found.listingState, suspension: found.suspension },
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
    instance,
    configuration: {
      revision: configuration.revision,
      savedAt: configuration.createdAt.toISOString(),
      savedBy: configuration.createdBy,
      settings: showSettings(listSettings(manifest), configuration.settings),
      mappings: configuration.mappings,
      mappingFields: (manifest.core?.fields ?? []).map(({ name, title, required }) => ({
        name,
        title,
        required: required === true,
      })),
    },
    routes: routes
      .filter(({ kind }) => kind !== "endpoint")
      .map(({ id: routeId, kind, path, name, patterns, endedAt }) => ({
        routeId,
        kind,
        path,
        name,
        patterns,
        address: routeUrl(platform.environment, routeId),
        ended: endedAt !== null,
      })),
    endpoints: routes.flatMap(({ id: routeId, path, name: title, patterns: methods, access, openedAt }) =>
      access === null
        ? []
        : [
            {
              routeId,
              path,
              methods,
              title,
              access,
              address: routeBase + path,
              open: access === "core" || openedAt !== null,
            },
          ],
    ),
    routeBase,
    logsPath: seesLogs ? `/publish/${found.appName}/logs?version=${found.number}` : null,
    upgradeTo: newest === undefined ? null : viewTarget(newest),
    rollbackTo: previous === undefined ? null : viewTarget(previous),
    upgrade: await viewNewestUpgrade(db, found, targets),
    changedProducts: findChangedProducts(manifest, configuration, products),
  };
}

async function viewInstance(
  db: Db,
  { versionId, state }: { versionId: string; state: InstallationState },
  withLog: boolean,
): Promise<InstallationView["instance"]> {
  const facts = (await readVersionFacts(db, [versionId])).get(versionId);
  if (facts?.instance === undefined) return null;
  // A failed hook ends an instance that did not fail itself.
  const ended = state === "ERROR" ? "any" : "failed";
  const [log] = withLog ? await selectLastLogs(db, [versionId], ended) : [];
  const { instance, failures, lastFailure } = facts;
  return {
    runtime: instance.runtime,
    state: instance.state,
    reasonCode: instance.code,
    reason: instance.reason,
    readyAt: instance.readyAt?.toISOString() ?? null,
    failures,
    lastFailure: lastFailure === undefined ? null : viewFailure(lastFailure),
    log: log === undefined ? null : { at: log.at.toISOString(), text: log.text },
  };
}

function viewFailure({ at, code, exitCode, reason }: NonNullable<VersionFacts["lastFailure"]>) {
  return { at: at.toISOString(), code, exitCode, reason };
}

type ShownSetting = InstallationView["configuration"]["settings"][number];

function showSettings(declared: readonly Setting[], stored: RevisionRow["settings"]): ShownSetting[] {
  const byName = new Map(declared.map((setting) => [setting.name, setting]));
  return viewSettings(declared, stored).map((view): ShownSetting => {
    const setting = byName.get(view.name);
    const title = setting?.title ?? view.name;
    if (view.sensitive) return { ...view, title };
    const { name, sensitive, value } = view;
    const option =
      setting?.type === "Select" ? setting.values?.find((item) => item.value === value) : undefined;
    return { name, title, sensitive, configured: value !== undefined, shown: option?.text ?? value };
  });
}

/** Products whose schema changed since their mapping was saved, with the mapped fields that are missing from it now. */
function findChangedProducts(
  manifest: Manifest,
  { mappings, schemaDigests }: Pick<RevisionRow, "mappings" | "schemaDigests">,
  products: readonly ProductRow[],
): InstallationView["changedProducts"] {
  const declared = manifest.core?.fields ?? [];
  const titles = new Map(declared.map((field) => [field.name, field.title]));
  return products
    .filter((product) => changedSinceMapped(product, schemaDigests))
    .map(({ name, schema, changedAt }) => {
      const mapping = mappings.find(({ productName }) => productName === name);
      const missing = missingPaths(schema, declared, mapping?.fields ?? {}).map(
        (field) => titles.get(field.name) ?? field.name,
      );
      return { name, changedAt: changedAt.toISOString(), missing };
    });
}

/**
 * The health of the versions that an installation used, as long as it used each. It says nothing of other installations: only how the
 * app was and why, as the installation's own page does. NOT_FOUND for another organization's.
 */
export async function readInstallationHistory(
  { db }: Platform,
  member: Member,
  installationId: string,
  now = new Date(),
): Promise<HealthHistory> {
  const { createdAt } = await requireInstallation(db, member.organization.id, installationId);
  const periods = await selectPeriods(db, { installationId });
  const events = await selectEvents(db, [...new Set(periods.map(({ versionId }) => versionId))]);
  const stays = periods.map(({ versionId, from, to }) => ({
    from: (from ?? createdAt).getTime(),
    to: to?.getTime() ?? null,
    periods: traceHealth(events.get(versionId) ?? []),
  }));
  return divideHistory(joinStays(stays), now.getTime());
}

import * as z from "zod";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import type { OptionalHost } from "@/lib/contract/catalog/rights";
import type { ProductSample } from "@/lib/contract/insight/call";
import type { HealthHistory } from "@/lib/contract/insight/health";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { viewSettings } from "@/lib/domain/catalog/configuration";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import { missingPaths } from "@/lib/domain/catalog/mapping/check-path";
import { listOptionalHosts } from "@/lib/domain/catalog/rights";
import { createSample } from "@/lib/domain/catalog/mapping/schema-parts";
import { findAskedTerms, findNewTerms } from "@/lib/domain/catalog/terms";
import { divideHistory, joinStays, traceHealth } from "@/lib/domain/insight/health-history";
import type { Member } from "@/lib/domain/platform/actor";
import { isMoving } from "@/lib/domain/runtime/isolation";
import { type EgressView, listHostSettings } from "@/lib/domain/runtime/egress/view-egress";
import { routeUrl } from "../calls/call-route";
import { selectLastLogs } from "../insight/health/health-queries";
import { selectEvents, selectPeriods } from "../insight/health/history-queries";
import { addHealth, readVersionFacts, type VersionFacts } from "../insight/health/read-health";
import type { Platform } from "../platform/platform";
import { readEnforcement } from "../runtime/isolation";
import { readBlocked, readEgress } from "../runtime/read-egress";
import { changedSinceMapped } from "./configurations/merge-configuration";
import { type RevisionRow, selectConfiguration } from "./configurations/queries";
import { selectRefusals } from "./host-refusal-queries";
import { listInstalledTenants } from "./read-launch";
import { requireInstallation, selectRoutes } from "./queries";
import { findTargets, newestAbove, viewNewestUpgrade, viewPilot, viewTarget } from "./read-upgrade";
import { type ProductRow, selectProducts } from "./tenants/queries";

/** One of the organization's installations, without its secrets. Throws NOT_FOUND for any other. */
export async function readInstallation(
  platform: Platform,
  member: Member,
  id: string,
): Promise<InstallationView> {
  return viewInstallation(
    platform,
    member,
    await requireInstallation(platform.db, member.organization.id, id),
  );
}

/** @param found an installation of the member's organization */
export async function viewInstallation(
  platform: Platform,
  member: Member,
  found: FoundInstallation,
): Promise<InstallationView> {
  const { db } = platform;
  const { id } = found;
  const seesLogs = mayReadLogs(member, found.publisherId);
  const facts = await readVersionFacts(db, [found.versionId]);
  const [[health], instance, routes, configuration, products, targets, used] = await Promise.all([
    addHealth(db, [found], facts),
    viewInstance(platform, found, facts.get(found.versionId), seesLogs),
    selectRoutes(db, id),
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
    findTargets(db, found),
    found.trialEndsAt === null ? null : listInstalledTenants(platform, member, found.listingId),
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
    trialEndsAt: found.trialEndsAt?.toISOString() ?? null,
    used,
    title: found.title,
    name: `${found.publisherSlug}/${found.appName}`,
    publisherName: found.publisherName,
    support: { link: found.links.support, address: found.supportAddress },
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
    newTerms: findNewTerms(findAskedTerms(found, found), found.acceptedTerms) ?? null,
    ...viewPilot(targets),
    rollbackTo: previous === undefined ? null : viewTarget(previous),
    upgrade: await viewNewestUpgrade(db, found, targets),
    changedProducts: findChangedProducts(manifest, configuration, products),
  };
}

async function viewInstance(
  platform: Platform,
  { versionId, state }: { versionId: string; state: InstallationState },
  facts: VersionFacts | undefined,
  withLog: boolean,
): Promise<InstallationView["instance"]> {
  if (facts?.instance === undefined) return null;
  // A failed hook ends an instance that did not fail itself.
  const ended = state === "ERROR" ? "any" : "failed";
  const [log] = withLog ? await selectLastLogs(platform.db, [versionId], ended) : [];
  const { instance, failures, lastFailure } = facts;
  return {
    runtime: instance.runtime,
    moving: await isProcessMoving(platform, instance),
    state: instance.state,
    reasonCode: instance.code,
    reason: instance.reason,
    readyAt: instance.readyAt?.toISOString() ?? null,
    failures,
    lastFailure: lastFailure === undefined ? null : viewFailure(lastFailure),
    log: log === undefined ? null : { at: log.at.toISOString(), text: log.text },
  };
}

async function isProcessMoving(
  platform: Platform,
  { runtime, state, readyAt }: NonNullable<VersionFacts["instance"]>,
): Promise<boolean | null> {
  const move = platform.environment.PLATFORM_EXAMPLES_IN_CONTAINERS;
  const isLive = state === "STARTING" || state === "READY";
  if (!move || runtime !== "process" || !isLive) return false;
  return isMoving({ move, enforcement: await readEnforcement(platform) }, readyAt) ?? null;
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

export type FoundInstallation = Awaited<ReturnType<typeof requireInstallation>>;

/** What the overview of an installation shows beside it. @param found an installation of the reader's organization */
export async function readInstallationOverview(
  platform: Platform,
  found: FoundInstallation,
  now = new Date(),
): Promise<{ history: HealthHistory; egress: EgressView; optionalHosts: OptionalHost[] }> {
  const [history, egress] = await Promise.all([
    readHistory(platform, found, now),
    readInstallationEgress(platform, found),
  ]);
  const optionalHosts = await listOptional(platform, found, egress.blindness === null);
  return { history, egress, optionalHosts };
}

/** The hosts without which the app works, who refused them, and whether a guard blocks them by now. */
async function listOptional(
  { db }: Platform,
  { organizationId, listingId, versionId, manifest }: FoundInstallation,
  isGuarded: boolean,
): Promise<OptionalHost[]> {
  const hosts = listOptionalHosts(manifest);
  if (hosts.length === 0) return [];
  const refusals = await selectRefusals(db, organizationId, listingId);
  const blocked = isGuarded && refusals.length > 0 ? await readBlocked({ db }, versionId, manifest) : [];
  return hosts.map(({ host, purpose }) => {
    const refusal = refusals.find((each) => each.host === host);
    return {
      host,
      purpose,
      refused: refusal && {
        ...{ by: refusal.by, at: refusal.at.toISOString() },
        isBlocked: blocked.includes(host),
      },
    };
  });
}

/**
 * The health of the versions that an installation used, as long as it used each. It says nothing of other installations: only how the
 * app was and why, as the installation's own page does.
 */
async function readHistory(
  { db }: Platform,
  { id, createdAt }: FoundInstallation,
  now: Date,
): Promise<HealthHistory> {
  const periods = await selectPeriods(db, { installationId: id });
  const events = await selectEvents(db, [...new Set(periods.map(({ versionId }) => versionId))]);
  const stays = periods.map(({ versionId, from, to }) => ({
    from: (from ?? createdAt).getTime(),
    to: to?.getTime() ?? null,
    periods: traceHealth(events.get(versionId) ?? []),
  }));
  return divideHistory(joinStays(stays), now.getTime());
}

/**
 * Where the installation's version sends data. One container serves all customers, so what others' cores and settings lead to is not
 * shown by name.
 */
async function readInstallationEgress(
  platform: Platform,
  { id, versionId, manifest, coreApiUrl, revision }: FoundInstallation,
): Promise<EgressView> {
  const hasSettings = listHostSettings(manifest.core?.hosts).length > 0;
  const configuration = hasSettings ? await selectConfiguration(platform.db, id, revision) : undefined;
  return readEgress(platform, {
    ...{ which: { versionId }, reader: "customer", manifest, cores: [coreApiUrl] },
    valuesOf: (setting) => {
      const stored = configuration?.settings[setting];
      return stored?.kind === "plain" ? [stored.value] : [];
    },
  });
}

/** Data of the products of an installation's tenant, to try calls with. Throws NOT_FOUND. */
export async function readProductSamples(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<{ products: ProductSample[] }> {
  const { tenantId } = await requireInstallation(platform.db, member.organization.id, installationId);
  const products = await selectProducts(platform.db, [tenantId]);
  return {
    products: products.map(({ name, schema, sample }) => ({
      name,
      data: z.json().parse(createSample(schema, sample ?? undefined)),
      given: sample !== null,
    })),
  };
}

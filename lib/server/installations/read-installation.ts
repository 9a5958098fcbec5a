import * as z from "zod";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import type { ProductSample } from "@/lib/contract/insight/call";
import {
  type HealthHistory,
  INSTALLATION_STATUSES,
  type InstallationStatus,
} from "@/lib/contract/insight/health";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { isId } from "@/lib/contract/platform/text";
import { viewSettings } from "@/lib/domain/catalog/configuration";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import { missingPaths } from "@/lib/domain/catalog/mapping/check-path";
import { createSample } from "@/lib/domain/catalog/mapping/schema-parts";
import { divideHistory, joinStays, traceHealth } from "@/lib/domain/insight/health-history";
import type { Member } from "@/lib/domain/platform/actor";
import { type EgressView, listHostSettings } from "@/lib/domain/runtime/egress/view-egress";
import { routeUrl } from "../calls/call-route";
import { selectLastLogs } from "../insight/health/health-queries";
import { selectEvents, selectPeriods } from "../insight/health/history-queries";
import { addHealth, readVersionFacts, type VersionFacts } from "../insight/health/read-health";
import type { Db } from "../platform/database/connect";
import { searchText } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { readEgress } from "../runtime/read-egress";
import { changedSinceMapped } from "./configurations/merge-configuration";
import { type RevisionRow, selectConfiguration } from "./configurations/queries";
import { requireInstallation, selectInstallations, selectRoutes } from "./queries";
import { findTargets, newestAbove, viewNewestUpgrade, viewTarget } from "./read-upgrade";
import { type ProductRow, selectProducts } from "./tenants/queries";

/** One of the organization's installations, without its secrets. Throws NOT_FOUND for any other. */
export async function readInstallation(
  platform: Platform,
  member: Member,
  id: string,
): Promise<InstallationView> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const seesLogs = mayReadLogs(member, found.publisherId);
  const facts = await readVersionFacts(db, [found.versionId]);
  const [[health], instance, routes, configuration, products, targets] = await Promise.all([
    addHealth(db, [found], facts),
    viewInstance(db, found, facts.get(found.versionId), seesLogs),
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
    trialEndsAt: found.trialEndsAt?.toISOString() ?? null,
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
    rollbackTo: previous === undefined ? null : viewTarget(previous),
    upgrade: await viewNewestUpgrade(db, found, targets),
    changedProducts: findChangedProducts(manifest, configuration, products),
  };
}

async function viewInstance(
  db: Db,
  { versionId, state }: { versionId: string; state: InstallationState },
  facts: VersionFacts | undefined,
  withLog: boolean,
): Promise<InstallationView["instance"]> {
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

type FoundInstallation = Awaited<ReturnType<typeof requireInstallation>>;

/** What the overview of an installation shows beside it. NOT_FOUND for another organization's. */
export async function readInstallationOverview(
  platform: Platform,
  member: Member,
  installationId: string,
  now = new Date(),
): Promise<{ history: HealthHistory; egress: EgressView }> {
  const found = await requireInstallation(platform.db, member.organization.id, installationId);
  const [history, egress] = await Promise.all([
    readHistory(platform, found, now),
    readInstallationEgress(platform, found),
  ]);
  return { history, egress };
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

const PAGE_SIZE = 30;

/** Health is derived after reading, so a filter by it reads more rows than it returns. */
const FILTERED_BATCH = 200;

/** From the page's URL; values that are not valid are ignored. */
interface ListInput {
  search?: string;
  /** A status: `RUNNING` leaves out installations that are degraded or down. */
  state?: string;
  before?: string;
}

/** A page of the organization's installations with their health, newest first. `next` is the cursor of the next page. */
export async function listInstallations(platform: Platform, member: Member, input: ListInput = {}) {
  const status = INSTALLATION_STATUSES.find((each) => each === input.state);
  const state = status === undefined ? undefined : toState(status);
  const search = searchText(input.search);
  const limit = state === "RUNNING" ? FILTERED_BATCH : PAGE_SIZE + 1;
  let before = input.before !== undefined && isId(input.before) ? input.before : undefined;
  const found = [];
  for (;;) {
    const rows = await selectInstallations(platform.db, member.organization.id, {
      search,
      state,
      before,
      limit,
    });
    const checked = await addHealth(platform.db, rows);
    found.push(...checked.filter(({ health }) => status === undefined || health.status === status));
    if (found.length > PAGE_SIZE || rows.length < limit) break;
    before = rows.at(-1)?.id;
  }
  const installations = found.slice(0, PAGE_SIZE);
  return { installations, next: found.length > PAGE_SIZE ? installations.at(-1)?.id : undefined };
}

/** The state of installations that may have this status. */
function toState(status: InstallationStatus): InstallationState {
  return status === "DEGRADED" || status === "DOWN" || status === "ASLEEP" ? "RUNNING" : status;
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

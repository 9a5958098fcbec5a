/** What the launch page shows, what an app asks of those who launch it, and where it is installed. */
import type { Enforcement } from "@/lib/contract/catalog/rights";
import { checksConfiguration, listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { splitAppName } from "@/lib/contract/platform/text-shapes";
import { knownMappingField, knownSetting } from "@/lib/domain/catalog/configuration";
import { newlyPublic } from "@/lib/domain/catalog/manifest/endpoint";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import { viewRights } from "@/lib/domain/catalog/rights";
import { findAskedTerms } from "@/lib/domain/catalog/terms";
import type { Member } from "@/lib/domain/platform/actor";
import { isMoving } from "@/lib/domain/runtime/isolation";
import { hasTypedWords } from "@/lib/domain/platform/text";
import { selectPilotVersion } from "../catalog/access-queries";
import { judgeLaunch } from "../catalog/judge-launch";
import { searchText } from "../platform/database/expressions";
import type { Platform } from "../platform/platform";
import { readCarriedLink, viewCarried } from "./carry-settings";
import { readEnforcement } from "../runtime/isolation";
import { selectInstalled, selectInstalledAmong, selectNewestVersion, selectVersion } from "./launch-queries";
import { readAsking } from "./requests/request-launch";
import { type ProductRow, selectProducts, selectTenants } from "./tenants/queries";
import { selectListingVersions } from "./upgrade-queries";

/** What the launch page's address says. */
interface LaunchQuery {
  test: boolean;
  /** For a Test Launch of a version that is not the newest. */
  versionId?: string;
  /** A search among many tenants. */
  typed?: string;
  /** The id of the selected one. */
  tenantId?: string;
  /** A trial whose settings it starts with, and whose link. */
  carryFrom?: string;
  /** The token of its link, if the listing is shown by link. */
  link?: string;
  /** For the version that pilots try. */
  pilot?: boolean;
  /** A member who has approvals asks for another one. */
  ask?: boolean;
}

/**
 * The launch page's data: the app's settings and mapping fields, and the tenants to launch it for. Throws NOT_FOUND for a version of
 * another app.
 */
export async function readLaunch(
  platform: Platform,
  member: Member,
  app: { organization: string; app: string },
  query: LaunchQuery,
) {
  const { test } = query;
  const known = splitAppName(`${app.organization}/${app.app}`) !== undefined;
  const newest = known ? await selectNewestVersion(platform.db, app, !test) : undefined;
  const version = newest && (await chooseVersion(platform, newest, query));
  if (newest === undefined || version === undefined) throw new Problem("NOT_FOUND");
  const asked = query.link ?? (await readCarriedLink(platform, member, newest.listingId, query.carryFrom));
  const { refusal, link } = await judgeLaunch(platform.db, member, version, { ...query, link: asked });
  if (refusal !== undefined) throw new Problem("NOT_FOUND");
  const mayChoose = test && newest.publisherId === member.organization.id;
  const versions = mayChoose ? await listVersions(platform, member, newest.listingId) : [];
  const asking = test ? undefined : await readAsking(platform, member, newest.listingId);
  const approved = asking?.requests.filter(({ isUsable }) => isUsable).map(({ tenantId }) => tenantId) ?? [];
  const only = approved.length > 0 && query.ask !== true ? new Set(approved) : undefined;
  const offered = await listLaunchTenants(platform, member, newest.listingId, { ...query, only });
  return {
    listing: { id: newest.listingId, organizationId: newest.publisherId },
    ...(await describeOffer(platform, version)),
    terms: findAskedTerms(newest, { organizationId: member.organization.id, test }),
    link,
    /** No moderator has reviewed it yet. */
    ...(!test && version.verifiedAt === null ? { pilot: true as const } : {}),
    /** Whether the member may launch it, or asks an owner first; undefined for a Test Launch. */
    asking: asking && { ...asking, isApproved: only !== undefined },
    /** For a publisher's Test Launch, newest first. Empty where there is no choice. */
    versions,
    ...(test ? {} : await viewCarried(platform, member, version, query.carryFrom)),
    ...offered,
  };
}

/** What an app asks of everyone who launches this version. */
export async function describeOffer(platform: Platform, version: Version) {
  const { manifest } = version;
  const enforcement = await readEnforcement(platform);
  return {
    versionId: version.versionId,
    number: version.number,
    title: version.title,
    name: `${version.publisherSlug}/${version.appName}`,
    publisherName: version.publisherName,
    settings: listSettings(manifest).map(knownSetting),
    mappingFields: (manifest.core?.fields ?? []).map(knownMappingField),
    checksConfiguration: checksConfiguration(manifest),
    publicEndpoints: newlyPublic(undefined, manifest),
    rights: viewRights(manifest),
    isolated: isIsolated(platform, version, enforcement),
    enforcement,
  };
}

/** Undefined if it isn't known yet. */
function isIsolated(
  { environment }: Platform,
  { bundleKind, hasRunIsolated, processSince }: Version,
  enforcement: Enforcement,
): boolean | undefined {
  if (bundleKind === "image" || hasRunIsolated) return true;
  return isMoving({ move: environment.PLATFORM_EXAMPLES_IN_CONTAINERS, enforcement }, processSince);
}

export type Version = NonNullable<Awaited<ReturnType<typeof selectNewestVersion>>>;

/** Undefined for a version of another app, and for another version where there is no choice. */
async function chooseVersion(
  platform: Platform,
  newest: Version,
  { test, pilot = false, versionId }: LaunchQuery,
): Promise<Version | undefined> {
  if (pilot && !test) {
    const tried = await selectPilotVersion(platform.db, newest.listingId);
    return tried && selectVersion(platform.db, tried.versionId);
  }
  if (versionId === undefined || versionId === newest.versionId) return newest;
  const chosen = test && isId(versionId) ? await selectVersion(platform.db, versionId) : undefined;
  return chosen?.listingId === newest.listingId ? chosen : undefined;
}

async function listVersions({ db }: Platform, { organization }: Member, listingId: string) {
  const versions = await selectListingVersions(db, listingId, { organizationId: organization.id });
  return versions
    .sort((a, b) => compareVersions(b.number, a.number))
    .map(({ versionId, number, verifiedAt }) => ({ versionId, number, verified: verifiedAt !== null }));
}

/** A page lists as many tenants. Of more, people search the one that they mean. */
const LISTED_TENANTS = 7;

/** Sandboxes only run Test Launches. */
async function listLaunchTenants(
  { db }: Platform,
  { organization }: Member,
  listingId: string,
  { test, tenantId, only, ...query }: LaunchQuery & { only?: ReadonlySet<string> },
) {
  const typed = searchText(query.typed) ?? "";
  const [found, installed] = await Promise.all([
    selectTenants(db, organization.id),
    selectInstalled(db, organization.id, listingId, test),
  ]);
  const all = found.filter(
    ({ id, trialEndsAt, sandbox }) =>
      trialEndsAt === null && (test || !sandbox) && (only === undefined || only.has(id)),
  );
  const hasSandbox = all.some(({ sandbox }) => sandbox);
  const isShort = all.length <= LISTED_TENANTS;
  const matches = isShort
    ? all
    : all.filter(({ name, hostName }) => hasTypedWords(`${name} ${hostName}`, typed));
  const free = matches.filter(({ id }) => !installed.has(id));
  const taken = matches.filter(({ id }) => installed.has(id));
  const named = all.filter(({ id }) => id === tenantId && !installed.has(id));
  const first = [...named, ...free.filter(({ id }) => id !== tenantId)].slice(0, LISTED_TENANTS);
  // Without a search, tenants that already have the app are only counted.
  const shown = isShort ? all : [...first, ...(typed === "" ? [] : taken.slice(0, LISTED_TENANTS))];
  const products = shareSchemas(
    await selectProducts(
      db,
      shown.map((tenant) => tenant.id),
    ),
  );
  const freeInAll = all.filter(({ id }) => !installed.has(id)).length;
  return {
    hasSandbox,
    tenantSearch: isShort
      ? undefined
      : {
          typed,
          free: freeInAll,
          found: free.length,
          installed: all.length - freeInAll,
          foundInstalled: taken.length,
        },
    tenants: shown.map(({ id, name, hostName, sandbox }) => ({
      id,
      name,
      hostName,
      sandbox,
      /** Id of the tenant's installation of this app, if it has one: it can't have two. */
      installedAs: installed.get(id),
      products: products
        .filter((product) => product.tenantId === id)
        .map(({ name, schema, sample }) => ({ name, schema, sample: sample ?? undefined })),
    })),
  };
}

/** Equal schemas become one object, which a page sends once: the tenants of an organization often have the same products. */
function shareSchemas(products: readonly ProductRow[]): ProductRow[] {
  const schemas = new Map<string, unknown>();
  return products.map((product) => {
    const { schemaDigest, schema } = product;
    if (schemaDigest === "") return product;
    if (!schemas.has(schemaDigest)) schemas.set(schemaDigest, schema);
    return { ...product, schema: schemas.get(schemaDigest) };
  });
}

/** The ids of those listings that the member's organization has installed, Test Launches aside. */
export async function listInstalled(
  { db }: Platform,
  member: Member,
  listingIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return selectInstalledAmong(db, member.organization.id, listingIds);
}

/** Where an organization runs a listing, without Test Launches, and whether it has a tenant left to launch it for. */
export async function listInstalledTenants(platform: Platform, member: Member, listingId: string) {
  const [tenants, installed] = await Promise.all([
    selectTenants(platform.db, member.organization.id),
    selectInstalled(platform.db, member.organization.id, listingId, false),
  ]);
  return {
    installed: [...installed.values()].map((id) => ({ id })),
    hasOtherTenant: tenants.some(({ id, sandbox }) => !sandbox && !installed.has(id)),
  };
}

import { v7 } from "uuid";
import type { LaunchInput } from "@/lib/contract/catalog/configuration";
import type { ListingState } from "@/lib/contract/catalog/listing";
import { checksConfiguration, listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { isId, splitAppName } from "@/lib/contract/platform/text";
import { mayOperate } from "@/lib/domain/calls/installation";
import {
  askedBy,
  knownMappingField,
  knownSetting,
  mergeAnswers,
  type MergedAnswers,
} from "@/lib/domain/catalog/configuration";
import { newlyPublic } from "@/lib/domain/catalog/manifest/endpoint";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import { sayHost, scopeOf, viewRights } from "@/lib/domain/catalog/rights";
import type { Member } from "@/lib/domain/platform/actor";
import { hasTypedWords } from "@/lib/domain/platform/text";
import { storeSecret } from "../calls/deliveries/webhook-secrets";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import { searchText } from "../platform/database/expressions";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { readCarried, viewCarried } from "./carry-settings";
import { readEnforcement } from "../runtime/isolation";
import { storeConfiguration } from "./configurations/store-configuration";
import { declaredRoutes } from "./declared-routes";
import {
  insertInstallation,
  lockVersion,
  selectInstalled,
  selectInstalledAmong,
  selectNewestVersion,
  selectVersion,
} from "./launch-queries";
import { upsertRoutes } from "./queries";
import {
  lockTenant,
  type ProductRow,
  selectProducts,
  selectTenants,
  toSchemaDigests,
} from "./tenants/queries";
import { selectListingVersions } from "./upgrade-queries";

/**
 * Launches an app for one of the member's tenants: writes the installation, its first configuration and its routes, all or
 * nothing. A worker then starts the app. Throws NOT_FOUND for what the member may not launch.
 */
export async function launchInstallation(
  platform: Platform,
  member: Member,
  input: LaunchInput,
): Promise<{ installationId: string }> {
  const { test, openEndpoints = false } = input;
  return platform.db.transaction(async (tx) =>
    storeLaunch(platform, tx, member, {
      ...(await prepareLaunch(platform, tx, member, input)),
      test,
      openEndpoints,
    }),
  );
}

interface Launch {
  version: Pick<Version, "versionId" | "listingId" | "manifest" | "title">;
  tenant: { id: string; name: string };
  products: readonly Pick<ProductRow, "name" | "schemaDigest">[];
  merged: MergedAnswers;
  test: boolean;
  openEndpoints: boolean;
}

/** Writes a launch. Throws BAD_INPUT for incomplete answers, and WRONG_STATE for a tenant that has the app. */
export async function storeLaunch(
  platform: Platform,
  tx: Db,
  member: Member,
  { version, tenant, products, merged: { issues, ...merged }, test, openEndpoints }: Launch,
): Promise<{ installationId: string }> {
  if (issues.length > 0)
    throw new Problem("BAD_INPUT", "The configuration is incomplete. Fix the marked fields.", issues);
  const organizationId = member.organization.id;
  const installationId = v7();
  const { listingId, versionId, manifest } = version;
  const row = {
    id: installationId,
    organizationId,
    tenantId: tenant.id,
    listingId,
    versionId,
    test,
    createdBy: member.userId,
  };
  await insertInstallation(tx, row).catch((error: unknown) => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    const what = test ? `A Test Launch of ${version.title}` : version.title;
    throw new Problem(
      "WRONG_STATE",
      `${what} is already installed for ${tenant.name}. Open that installation, or uninstall it first.`,
    );
  });
  await storeConfiguration(platform, tx, member, {
    installationId,
    revision: 1,
    versionId,
    cause: "launch",
    declared: listSettings(manifest),
    scope: scopeOf(manifest),
    schemaDigests: toSchemaDigests(products),
    ...merged,
  });
  await storeSecret(platform, tx, { organizationId, installationId });
  await upsertRoutes(tx, installationId, declaredRoutes(manifest, openEndpoints));
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: "installation.launch",
    subject: `installation:${installationId}`,
    details: {
      versionId,
      tenantId: tenant.id,
      test,
      openEndpoints,
      scope: scopeOf(manifest),
      hosts: viewRights(manifest).hosts?.map(sayHost) ?? null,
    },
  });
  await notifyWorker(tx);
  return { installationId };
}

/** What a launch needs, without its writes. Throws what the launch throws, except for issues of the answers. */
export async function prepareLaunch(
  platform: Platform,
  tx: Db,
  member: Member,
  input: Omit<LaunchInput, "openEndpoints">,
) {
  if (!mayOperate(member.organization.role, input.test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only Test Launch. Ask an operator or an owner of your organization to launch the app.",
    );
  const version = await requireVersion(tx, member, input);
  const tenant = await lockTenant(tx, member.organization.id, input.tenantId);
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  if (tenant.trialEndsAt !== null)
    throw new Problem("WRONG_STATE", "This tenant belongs to a trial. Choose another tenant.");
  if (tenant.sandbox && !input.test)
    throw new Problem(
      "WRONG_STATE",
      `${tenant.name} is a sandbox, which only runs Test Launches. Choose another tenant.`,
    );
  const products = await selectProducts(tx, [tenant.id]);
  const carried = await readCarried(platform, tx, member, version, input.carryFrom);
  const stored = { kept: carried.kept, mappings: [], productNames: products.map(({ name }) => name) };
  const merged = mergeAnswers(askedBy(version.manifest), stored, input);
  const outcomes = await carried.copy(merged.outcomes);
  return { version, tenant, products, merged: { ...merged, outcomes } };
}

/** The version, which must be the newest that the member may launch. Throws NOT_FOUND and WRONG_STATE. */
export async function requireVersion(tx: Db, member: Member, input: Pick<LaunchInput, "versionId" | "test">) {
  const version = await lockVersion(tx, input.versionId);
  if (version === undefined || !isLaunchable(version, member, input.test)) throw new Problem("NOT_FOUND");
  if (input.test) return version;
  const app = { organization: version.publisherSlug, app: version.appName };
  const newest = await selectNewestVersion(tx, app, true);
  if (newest?.versionId === version.versionId) return version;
  throw new Problem(
    "WRONG_STATE",
    `Version ${newest?.number} has replaced ${version.number}. Reload the page to launch it.`,
  );
}

interface Candidate {
  publisherId: string;
  listingState: ListingState;
  verifiedAt: Date | null;
  /** A review of it is pending. */
  underReview: boolean;
}

/**
 * Everyone can launch a public app's verified versions. A publisher can Test Launch any version of its own apps, and moderators
 * in their own organization one that is under review.
 */
export function isLaunchable(candidate: Candidate, member: Member, test: boolean): boolean {
  const { id, moderation } = member.organization;
  if (test && candidate.listingState === "RETIRED") return false;
  if (test && moderation === true) return member.moderator && candidate.underReview;
  if (test) return candidate.publisherId === id;
  return candidate.listingState === "PUBLIC" && candidate.verifiedAt !== null;
}

/** What the launch page's address says. */
interface LaunchQuery {
  test: boolean;
  /** For a Test Launch of a version that is not the newest. */
  versionId?: string;
  /** A search among many tenants. */
  typed?: string;
  /** The id of the selected one. */
  tenantId?: string;
  /** A trial whose settings it starts with. */
  carryFrom?: string;
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
  const { test, versionId } = query;
  const known = splitAppName(`${app.organization}/${app.app}`) !== undefined;
  const newest = known ? await selectNewestVersion(platform.db, app, !test) : undefined;
  const version = newest && (await chooseVersion(platform, newest, test, versionId));
  if (newest === undefined || version === undefined || !isLaunchable(version, member, test))
    throw new Problem("NOT_FOUND");
  const mayChoose = test && newest.publisherId === member.organization.id;
  const versions = mayChoose ? await listVersions(platform, newest.listingId) : [];
  const offered = await listLaunchTenants(platform, member, newest.listingId, query);
  return {
    listing: { id: newest.listingId, organizationId: newest.publisherId },
    ...(await describeOffer(platform, version)),
    /** For a publisher's Test Launch, newest first. Empty where there is no choice. */
    versions,
    carried: test ? undefined : await viewCarried(platform, member, version, query.carryFrom),
    ...offered,
  };
}

/** What an app asks of everyone who launches this version. */
export async function describeOffer(platform: Pick<Platform, "db">, version: Version) {
  const { manifest } = version;
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
    isolated: version.isolated,
    enforcement: await readEnforcement(platform),
  };
}

export type Version = NonNullable<Awaited<ReturnType<typeof selectNewestVersion>>>;

/** Undefined for a version of another app, and for another version where there is no choice. */
async function chooseVersion(
  platform: Platform,
  newest: Version,
  test: boolean,
  versionId: string | undefined,
): Promise<Version | undefined> {
  if (versionId === undefined || versionId === newest.versionId) return newest;
  const chosen = test && isId(versionId) ? await selectVersion(platform.db, versionId) : undefined;
  return chosen?.listingId === newest.listingId ? chosen : undefined;
}

async function listVersions(platform: Platform, listingId: string) {
  const versions = await selectListingVersions(platform.db, listingId);
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
  { test, tenantId, ...query }: LaunchQuery,
) {
  const typed = searchText(query.typed) ?? "";
  const [found, installed] = await Promise.all([
    selectTenants(db, organization.id),
    selectInstalled(db, organization.id, listingId, test),
  ]);
  const all = found.filter((tenant) => tenant.trialEndsAt === null && (test || !tenant.sandbox));
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

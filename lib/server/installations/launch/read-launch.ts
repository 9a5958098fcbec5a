import { checksConfiguration, listSettings } from "@/lib/contract/manifest-terms";
import { isId, splitAppName } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { newlyPublic } from "@/lib/domain/endpoints/endpoint";
import { compareVersions } from "@/lib/domain/version";
import { knownMappingField, knownSetting } from "@/lib/domain/view-settings";
import type { Platform } from "../../platform/platform";
import { selectProducts, selectTenants } from "../../tenants/queries";
import { selectListingVersions } from "../upgrade-queries";
import { isLaunchable } from "./launch-installation";
import { selectInstalled, selectNewestVersion, selectVersion } from "./queries";

/**
 * The launch page's data: the app's settings and mapping fields, and the tenants to launch it for. `versionId` is only for
 * a Test Launch of a version that is not the newest; throws NOT_FOUND if it belongs to another app.
 */
export async function readLaunch(
  platform: Platform,
  member: Member,
  app: { organization: string; app: string },
  test: boolean,
  versionId?: string,
) {
  const known = splitAppName(`${app.organization}/${app.app}`) !== undefined;
  const newest = known ? await selectNewestVersion(platform.db, app, !test) : undefined;
  const version = newest && (await chooseVersion(platform, newest, test, versionId));
  if (newest === undefined || version === undefined || !isLaunchable(version, member, test))
    throw new Problem("NOT_FOUND");
  const mayChoose = test && newest.publisherId === member.organization.id;
  const versions = mayChoose ? await listVersions(platform, newest.listingId) : [];
  const tenants = await listLaunchTenants(platform, member, newest.listingId, test);
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
    /** For a publisher's Test Launch, newest first. Empty where there is no choice. */
    versions,
    tenants,
  };
}

type Version = NonNullable<Awaited<ReturnType<typeof selectNewestVersion>>>;

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

/** Sandboxes only run Test Launches. */
async function listLaunchTenants(platform: Platform, member: Member, listingId: string, test: boolean) {
  const [found, installed] = await Promise.all([
    selectTenants(platform.db, member.organization.id),
    selectInstalled(platform.db, member.organization.id, listingId, test),
  ]);
  const tenants = found.filter((tenant) => test || !tenant.sandbox);
  const products = await selectProducts(
    platform.db,
    tenants.map((tenant) => tenant.id),
  );
  return tenants.map(({ id, name, hostName, sandbox }) => ({
    id,
    name,
    hostName,
    sandbox,
    /** Id of the tenant's installation of this app, if it has one: it can't have two. */
    installedAs: installed.get(id),
    products: products
      .filter((product) => product.tenantId === id)
      .map(({ name, schema, sample }) => ({ name, schema, sample: sample ?? undefined })),
  }));
}

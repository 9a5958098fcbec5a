import type { Manifest } from "@/lib/contract/catalog/manifest";
import { Problem } from "@/lib/contract/platform/problem";
import { bumpVersion, compareVersions } from "@/lib/domain/catalog/manifest/version";
import type { Publisher } from "@/lib/domain/platform/actor";
import { lockApiKey } from "../accounts/credentials/api-key-queries";
import { selectBlobBytes } from "../images/blob-queries";
import type { Db } from "../platform/database/connect";
import type { Environment } from "../platform/environment";
import { tellOfVersion } from "../platform/notifications/tell-of-apps";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { requireOtherHosts } from "./accept-manifest";
import {
  insertVersion,
  lockListing,
  lockOrganization,
  selectOldArchiveBytes,
  type EarlierVersion,
  selectEarlier,
  selectPublishTarget,
} from "./version-queries";

interface NewVersion {
  listingId: string;
  manifest: Manifest;
  manifestText: string;
  imageManifestText: string;
  bundleKind: "image" | "example-folder";
  imageDigest: string;
  archiveDigest: string;
  archiveBytes: number;
  releaseNotes?: string;
}

/** The organization's own listing of this app, in any state. */
export async function findListing(platform: Platform, publisher: Publisher, app: string) {
  const listing = await selectPublishTarget(platform.db, publisher.organizationId, app);
  if (listing === undefined)
    throw new Problem("NOT_FOUND", describeMissingListing(publisher.organizationSlug, app));
  return listing;
}

/** For people and tools that name an app of their organization which doesn't exist. */
export function describeMissingListing(organization: string, app: string): string {
  const name = `${organization}/${app.slice(0, 40)}`;
  return `There is no listing for ${name}. Check the name, or create the listing with \`platform-app create ${name}\` or on the Publish page.`;
}

/** Where a version is published, with the versions that are there. Throws NOT_FOUND, WRONG_STATE if it is retired. */
export async function findTarget(platform: Platform, publisher: Publisher, app: string) {
  const { id, state } = await findListing(platform, publisher, app);
  requireOpen(state);
  return { listingId: id, published: await selectEarlier(platform.db, id) };
}

/** Locks the listing, and the API key of the upload, until the transaction ends. Returns the versions that are there now. */
export async function lockTarget(tx: Db, publisher: Publisher, listingId: string): Promise<EarlierVersion[]> {
  const listing = await lockListing(tx, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  requireOpen(listing.state);
  if (publisher.apiKeyId !== undefined && !(await lockApiKey(tx, publisher.apiKeyId)))
    throw new Problem(
      "WRONG_CREDENTIALS",
      "The API key was revoked or expired during the upload. Log in with another key.",
    );
  return selectEarlier(tx, listingId);
}

/**
 * Inserts the version and its audit row. The transaction must have locked the listing. Throws `BAD_MANIFEST` for a host of the platform.
 * @param published the versions that are there, read under that lock
 */
export async function addVersion(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  version: NewVersion,
  published: readonly EarlierVersion[],
): Promise<string> {
  const { listingId, imageDigest, archiveDigest } = version;
  const number = version.manifest.version;
  requireNewest(number, published);
  requireOtherHosts(platform.environment, version.manifest, version.manifestText);
  const id = await insertVersion(tx, { ...version, number, publishedBy: publisher.actor });
  await tellOfVersion(tx, { listingId, number, actor: publisher.actor });
  await recordAudit(tx, platform.keyring, {
    chain: publisher.organizationId,
    actor: publisher.actor,
    action: "version.publish",
    subject: `version:${id}`,
    details: { listingId, number, imageDigest, archiveDigest },
  });
  return id;
}

export function requireOpen(state: string): void {
  if (state === "RETIRED")
    throw new Problem("WRONG_STATE", "This listing is retired. Create another listing to publish again.");
}

/** Version numbers only go up. Throws `VERSION_EXISTS`, or `BAD_MANIFEST` for a number below the newest. */
export function requireNewest(number: string, published: readonly EarlierVersion[]): void {
  const earlier = published.map((version) => version.number);
  const newest = [...earlier].sort(compareVersions).at(-1);
  if (newest === undefined || compareVersions(number, newest) > 0) return;
  const hint = `Publish a higher version, for example ${bumpVersion(newest)}.`;
  if (earlier.includes(number)) {
    const detail = `Version ${number} already exists, and versions never change. The newest is ${newest}. ${hint}`;
    throw new Problem("VERSION_EXISTS", detail);
  }
  const message = `Version ${number} is below the newest version, ${newest}.`;
  throw new Problem("BAD_MANIFEST", `${message} ${hint}`, [
    { code: "VERSION_TOO_LOW", pointer: "/version", message, hint, severity: "error" },
  ]);
}

/** The number can be declared, so an image that was published before would pass for a new one. Throws `VERSION_EXISTS`. */
export function requireNewImage(imageDigest: string, published: readonly EarlierVersion[]): void {
  // Versions that changed only the manifest have the same image.
  const [first] = published
    .filter((version) => version.imageDigest === imageDigest)
    .map(({ number }) => number)
    .sort(compareVersions);
  if (first === undefined) return;
  const detail = `This image was already published as version ${first}. Build it again with your changes, then publish it.`;
  throw new Problem("VERSION_EXISTS", detail, [], undefined, [], first);
}

// How much an organization's images may take in the platform's store.

const MB = 1_000_000;

export interface StorageUse {
  usedBytes: number;
  quotaBytes: number;
}

export async function readStorageUse(
  { db, environment }: Platform,
  organizationId: string,
): Promise<StorageUse> {
  return { usedBytes: await measure(db, organizationId), quotaBytes: getQuota(environment) };
}

/**
 * Call it after the rows of the blobs are inserted. Until the transaction ends, the organization can't store more, so that
 * publications can't pass the check at once. Throws `QUOTA_EXCEEDED`.
 */
export async function requireStorage(
  tx: Db,
  environment: Environment,
  organizationId: string,
): Promise<void> {
  await lockOrganization(tx, organizationId);
  const used = await measure(tx, organizationId);
  const quota = getQuota(environment);
  if (used <= quota) return;
  const detail = `With this version, your organization's images would take ${toMb(used)}, which is more than its limit of ${toMb(quota)}. Publish a smaller image, or ask the platform's operator for more storage.`;
  throw new Problem("QUOTA_EXCEEDED", detail);
}

/** Images share blobs, which count once. */
async function measure(db: Db, organizationId: string): Promise<number> {
  return (await selectBlobBytes(db, organizationId)) + (await selectOldArchiveBytes(db, organizationId));
}

function getQuota({ PLATFORM_STORAGE_QUOTA_MB }: Environment): number {
  return PLATFORM_STORAGE_QUOTA_MB * MB;
}

function toMb(bytes: number): string {
  return `${Math.ceil(bytes / MB).toLocaleString("en-US")} MB`;
}

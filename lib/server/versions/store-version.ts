import type { Manifest } from "@/lib/contract/manifest";
import { Problem } from "@/lib/contract/problem";
import { lockApiKey } from "../api-keys/queries";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { Publisher } from "@/lib/domain/actor";
import { insertVersion, lockListing, selectPublishTarget, selectVersionNumbers } from "./queries";
import { bumpVersion, compareVersions } from "@/lib/domain/version";

interface NewVersion {
  listingId: string;
  manifest: Manifest;
  manifestText: string;
  bundleKind: "image" | "example-folder";
  imageDigest: string;
  archiveDigest: string;
  archiveBytes: number;
}

/** The organization's own listing of that app, whatever its state. */
export async function findListing(platform: Platform, publisher: Publisher, app: string) {
  const listing = await selectPublishTarget(platform.db, publisher.organizationId, app);
  if (listing === undefined) {
    const detail = `"${publisher.organizationSlug}" has no listing with the App Name "${app}". Create it on the Publish page first.`;
    throw new Problem("NOT_FOUND", detail);
  }
  return listing;
}

/** The same, ready for a version. */
export async function requireListing(platform: Platform, publisher: Publisher, app: string): Promise<string> {
  const listing = await findListing(platform, publisher, app);
  requireOpen(listing.state);
  return listing.id;
}

/**
 * One transaction: the row, its audit row, and last `keep`, which moves the archive to its place. Where any of
 * them fails there is neither row nor archive.
 */
export async function storeVersion(
  platform: Platform,
  publisher: Publisher,
  version: NewVersion,
  keep?: () => Promise<void>,
): Promise<string> {
  return platform.db.transaction(async (tx) => {
    const listing = await lockListing(tx, version.listingId);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    requireOpen(listing.state);
    if (publisher.apiKeyId !== undefined && !(await lockApiKey(tx, publisher.apiKeyId))) {
      throw new Problem("WRONG_CREDENTIALS", "The API Key was revoked during the upload.");
    }
    const id = await addVersion(platform, tx, publisher, version);
    await keep?.();
    return id;
  });
}

/** The row and its audit row, in a transaction that holds the listing. */
export async function addVersion(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  version: NewVersion,
): Promise<string> {
  const { listingId, imageDigest, archiveDigest } = version;
  const number = version.manifest.version;
  requireNewest(number, await selectVersionNumbers(tx, listingId));
  const id = await insertVersion(tx, { ...version, number, publishedBy: publisher.actor });
  if (id === undefined)
    throw new Problem("VERSION_EXISTS", `Version ${number} exists already; versions never change.`);
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

/** Numbers only go up: throws `VERSION_EXISTS`, or `BAD_MANIFEST` for a number below the newest. */
export function requireNewest(number: string, earlier: readonly string[]): void {
  const newest = [...earlier].sort(compareVersions).at(-1);
  if (newest === undefined || compareVersions(number, newest) > 0) return;
  const mend = `Publish a higher one, such as ${bumpVersion(newest)}.`;
  if (earlier.includes(number)) {
    throw new Problem(
      "VERSION_EXISTS",
      `Version ${number} exists already; versions never change. The newest is ${newest}. ${mend}`,
    );
  }
  const message = `Version ${number} is below the newest one, ${newest}.`;
  throw new Problem("BAD_MANIFEST", `${message} ${mend}`, [
    { code: "VERSION_TOO_LOW", pointer: "/version", message, hint: mend, severity: "error" },
  ]);
}

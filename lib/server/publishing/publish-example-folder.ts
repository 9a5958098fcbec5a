import { readFile } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE, splitAppName } from "@/lib/contract/names";
import type { Publisher } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { digestFolder } from "../runtimes/digest-folder";
import { acceptManifest } from "../versions/accept-manifest";
import type { PublishedVersion } from "./publish-version";
import { addVersion, lockTarget, requireListing } from "../versions/store-version";

/**
 * Creates a version from an example's folder, for machines without a container engine. The digest covers names and
 * contents of all files, so an edited example is another bundle.
 */
export async function publishExampleFolder(
  platform: Platform,
  publisher: Publisher,
  folder: string,
): Promise<PublishedVersion> {
  const name = `${publisher.organizationSlug}/${path.basename(folder)}`;
  const imageManifestText = await readFile(path.join(folder, MANIFEST_FILE), "utf8");
  const accepted = acceptManifest(imageManifestText, name);
  const listingId = await requireListing(platform, publisher, splitAppName(name)?.app ?? "");
  const { digest, bytes } = await digestFolder(folder);
  const image = { imageManifestText, imageDigest: digest, archiveDigest: digest, archiveBytes: bytes };
  const version = { listingId, ...accepted, bundleKind: "example-folder" as const, ...image };
  const versionId = await platform.db.transaction(async (tx) => {
    await lockTarget(tx, publisher, listingId);
    return addVersion(platform, tx, publisher, version);
  });
  return { versionId, number: accepted.manifest.version, imageDigest: digest, listingId };
}

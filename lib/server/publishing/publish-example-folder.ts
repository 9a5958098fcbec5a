import { readFile } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import type { Publisher } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { digestFolder } from "../runtimes/digest-folder";
import { acceptManifest } from "../versions/accept-manifest";
import type { PublishedVersion } from "./publish-version";
import { addVersion, lockTarget, requireListing } from "../versions/store-version";

/**
 * Creates a version from an example's folder, for machines without a container engine. The digest covers names and
 * contents of all files, so an edited example is another bundle.
 * @param app of a folder that several apps share, which has neither name nor manifest of its own
 */
export async function publishExampleFolder(
  platform: Platform,
  publisher: Publisher,
  folder: string,
  app?: { appName: string; manifestText: string },
): Promise<PublishedVersion> {
  const appName = app?.appName ?? path.basename(folder);
  const imageManifestText = app?.manifestText ?? (await readFile(path.join(folder, MANIFEST_FILE), "utf8"));
  const accepted = acceptManifest(imageManifestText, `${publisher.organizationSlug}/${appName}`);
  const listingId = await requireListing(platform, publisher, appName);
  const { digest, bytes } = await digestFolder(folder);
  const image = { imageManifestText, imageDigest: digest, archiveDigest: digest, archiveBytes: bytes };
  const version = { listingId, ...accepted, bundleKind: "example-folder" as const, ...image };
  const versionId = await platform.db.transaction(async (tx) => {
    await lockTarget(tx, publisher, listingId);
    return addVersion(platform, tx, publisher, version);
  });
  return { versionId, number: accepted.manifest.version, imageDigest: digest, listingId };
}

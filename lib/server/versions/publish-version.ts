import { keepArchive } from "../bundles/bundle-store";
import { receiveBundle } from "../bundles/receive-bundle";
import type { Platform } from "../platform/platform";
import { acceptManifest } from "./accept-manifest";
import { requireOwnApp } from "./accept-manifest";
import type { Publisher } from "@/lib/domain/actor";
import { selectVersionNumbers } from "./queries";
import { requireListing, storeVersion } from "./store-version";
import { requireNewest } from "./store-version";

export type { Publisher };

export interface PublishInput {
  /** `<org-name>/<app-name>`, or its second half alone. */
  appName: string;
  /** The number that the version is to have; without it the image's own counts. */
  declaredVersion?: string;
  /** An image as `docker save` or an OCI layout has it, as a tar, gzipped or not. */
  archive: NodeJS.ReadableStream;
}

export interface PublishedVersion {
  versionId: string;
  number: string;
  imageDigest: string;
  listingId: string;
}

/**
 * Makes a version of an uploaded image. What can be refused without the upload is refused before it is read.
 * Throws `NOT_FOUND`, `BAD_BUNDLE`, `BAD_MANIFEST`, `VERSION_EXISTS`, `WRONG_STATE`, `TOO_LARGE`, `STORAGE_FULL`.
 */
export async function publishVersion(
  platform: Platform,
  publisher: Publisher,
  input: PublishInput,
): Promise<PublishedVersion> {
  const { name, app } = requireOwnApp(publisher, input.appName);
  const listingId = await requireListing(platform, publisher, app);
  if (input.declaredVersion !== undefined)
    requireNewest(input.declaredVersion, await selectVersionNumbers(platform.db, listingId));
  return receiveBundle(platform.environment, input.archive, async (bundle) => {
    const accepted = acceptManifest(bundle.manifestText, name, input.declaredVersion);
    const { file, ...archive } = await bundle.write();
    const { imageDigest } = bundle;
    const version = { listingId, ...accepted, bundleKind: "image" as const, imageDigest, ...archive };
    const versionId = await storeVersion(platform, publisher, version, () =>
      keepArchive(platform.environment, file, archive.archiveDigest),
    );
    return { versionId, number: accepted.manifest.version, imageDigest, listingId };
  });
}

import path from "node:path";
import { Problem } from "@/lib/contract/problem";
import type { Publisher } from "@/lib/domain/actor";
import {
  createIncomingFolder,
  keepArchive,
  removeIncomingFolder,
  toStorageProblem,
} from "../bundles/bundle-store";
import { receiveBundle } from "../bundles/receive-bundle";
import { writeArchive } from "../bundles/write-archive";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { followVersion } from "../manifest-drafts/follow-version";
import { acceptManifest, requireOwnApp } from "../versions/accept-manifest";
import { selectNumberOfImage, selectVersionNumbers } from "../versions/queries";
import { addVersion, lockTarget, requireListing, requireNewest } from "../versions/store-version";

export interface PublishInput {
  /** `<org-name>/<app-name>`, or `<app-name>`. */
  appName: string;
  /** The version number to publish. By default the one in the image. */
  declaredVersion?: string;
  /** A tar, gzipped or not: the output of `docker save`, or an OCI layout. */
  archive: NodeJS.ReadableStream;
}

export interface PublishedVersion {
  versionId: string;
  number: string;
  imageDigest: string;
  listingId: string;
  /** The draft's, if the draft has nothing that this version lacks. */
  draftRevision?: number;
}

/**
 * Creates a version from an uploaded image. Whatever can be refused without the upload is refused before it is read.
 * Throws `NOT_FOUND`, `BAD_BUNDLE`, `BAD_MANIFEST`, `VERSION_EXISTS`, `WRONG_STATE`, `TOO_LARGE`, `STORAGE_FULL`.
 */
export async function publishVersion(
  platform: Platform,
  publisher: Publisher,
  { appName, declaredVersion, archive }: PublishInput,
): Promise<PublishedVersion> {
  const { db, environment } = platform;
  const { name, app } = requireOwnApp(publisher, appName);
  const listingId = await requireListing(platform, publisher, app);
  if (declaredVersion !== undefined)
    requireNewest(declaredVersion, await selectVersionNumbers(db, listingId));
  const folder = await createIncomingFolder(environment);
  try {
    const bundle = await receiveBundle(archive, folder);
    const accepted = acceptManifest(bundle.manifestText, name, declaredVersion);
    const file = path.join(folder, "normalized");
    const written = await writeArchive(bundle, file);
    const imageDigest = bundle.image.digest;
    const image = { imageManifestText: bundle.manifestText, imageDigest, ...written };
    const version = { listingId, ...accepted, bundleKind: "image" as const, ...image };
    const added = await db.transaction(async (tx) => {
      await lockTarget(tx, publisher, listingId);
      await requireNewImage(tx, listingId, imageDigest);
      const versionId = await addVersion(platform, tx, publisher, version);
      const draftRevision = await followVersion(platform, tx, publisher, {
        listingId,
        versionId,
        ...accepted,
      });
      // Last, so that a failure leaves neither a row nor an archive.
      await keepArchive(environment, file, written.archiveDigest);
      return { versionId, draftRevision };
    });
    return { ...added, number: accepted.manifest.version, imageDigest, listingId };
  } catch (error) {
    throw toStorageProblem(error);
  } finally {
    await removeIncomingFolder(folder);
  }
}

/** The number can be declared, so an image that was published before would pass for a new one. */
async function requireNewImage(tx: Db, listingId: string, imageDigest: string): Promise<void> {
  const number = await selectNumberOfImage(tx, listingId, imageDigest);
  if (number === undefined) return;
  throw new Problem(
    "VERSION_EXISTS",
    `This image was already published as version ${number}. Build it again with your changes, then publish it.`,
  );
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import type { Publisher } from "@/lib/domain/platform/actor";
import { nameBlobs } from "../../images/blob-queries";
import { toStorageProblem } from "../../images/incoming-folder";
import { forgetStaged, keepBlobs } from "../../images/keep-blobs";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { acceptManifest, requireOwnApp } from "../accept-manifest";
import { hasVerifiedVersion } from "../listing-queries";
import {
  addVersion,
  findTarget,
  lockTarget,
  requireNewest,
  requireNewImage,
  requireStorage,
} from "../store-version";
import { digestFolder } from "./example-folder";
import { followVersion } from "./manifest-draft";
import { type PublishedImage, type ReceivedImage, receiveImage } from "./receive-image";
import { beginUpload, inspectUpload } from "./uploads";

type PublishInput = PublishedImage & {
  /** `<org-name>/<app-name>`, or `<app-name>`. */
  appName: string;
  /** The version number to publish. By default the one in the image. */
  declaredVersion?: string;
  /** Aborted when the sender is gone: nothing is published then. */
  signal?: AbortSignal;
};

interface PublishedVersion {
  versionId: string;
  number: string;
  imageDigest: string;
  listingId: string;
  /** The draft's, if the draft has nothing that this version lacks. */
  draftRevision?: number;
}

/**
 * Creates a version from an uploaded image. Anything that can be refused without the upload is refused before reading it.
 * Throws `NOT_FOUND`, `BAD_BUNDLE`, `BAD_MANIFEST`, `VERSION_EXISTS`, `WRONG_STATE`, `REGISTRY_FAILED`, `TOO_LARGE`, `STORAGE_FULL`,
 * `QUOTA_EXCEEDED`, `TOO_MANY_REQUESTS`, `UNAVAILABLE`.
 */
export async function publishVersion(
  platform: Platform,
  publisher: Publisher,
  { appName, declaredVersion, signal, ...sentImage }: PublishInput,
): Promise<PublishedVersion> {
  const { db, environment } = platform;
  const { name, app } = requireOwnApp(publisher, appName);
  const { listingId, published } = await findTarget(platform, publisher, app);
  if (declaredVersion !== undefined) requireNewest(declaredVersion, published);
  const { organizationId } = publisher;
  const isNewcomer = !(await hasVerifiedVersion(db, organizationId));
  const upload = await beginUpload(environment, { organizationId, isNewcomer }, signal);
  let received: ReceivedImage | undefined;
  try {
    received = await receiveImage(platform, upload, sentImage);
    const { bytes, sent } = received;
    const { blobs, ...inspected } = await inspectUpload(upload, bytes, { name, declaredVersion, sent });
    const { manifest, manifestText, imageDigest, archiveDigest } = inspected;
    const version = { listingId, ...inspected, bundleKind: "image" as const };
    // Again in the transaction. Here, nothing has to be stored and removed for it.
    requireNewest(manifest.version, published);
    requireNewImage(imageDigest, published);
    const requireRoom = (tx: Db) => requireStorage(tx, environment, publisher.organizationId);
    const kept = await keepBlobs(platform, publisher.organizationId, blobs, requireRoom);
    const add = async (tx: Db) => {
      const earlier = await lockTarget(tx, publisher, listingId);
      requireNewImage(imageDigest, earlier);
      const versionId = await addVersion(platform, tx, publisher, version, earlier);
      await nameBlobs(tx, archiveDigest, blobs);
      const draftRevision = await followVersion(platform, tx, publisher, {
        listingId,
        versionId,
        manifest,
        manifestText,
      });
      upload.signal.throwIfAborted();
      return { versionId, draftRevision };
    };
    const added = await db.transaction(add).catch(async (error: unknown) => {
      await kept.release();
      throw error;
    });
    await forgetStaged(platform, publisher.organizationId, sent);
    return { ...added, number: manifest.version, imageDigest, listingId };
  } catch (error) {
    if (isDamaged(error)) await forgetStaged(platform, publisher.organizationId, received?.sent);
    throw toStorageProblem(error);
  } finally {
    await upload.end();
  }
}

/** Whether sending the same blobs again may help: their bytes are not what their names say. */
function isDamaged(error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.issues.some(({ code }) => code === "WRONG_DIGEST" || code === "LAYER_BROKEN")
  );
}

/**
 * Creates a version from an example's folder, for machines without a container engine. The digest covers names and
 * contents of all files, so an edited example is another bundle.
 * @param app of a folder that several apps share, which has no name or manifest of its own
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
  const { listingId } = await findTarget(platform, publisher, appName);
  const { digest, bytes } = await digestFolder(folder);
  const image = { imageManifestText, imageDigest: digest, archiveDigest: digest, archiveBytes: bytes };
  const version = { listingId, ...accepted, bundleKind: "example-folder" as const, ...image };
  const versionId = await platform.db.transaction(async (tx) => {
    const earlier = await lockTarget(tx, publisher, listingId);
    return addVersion(platform, tx, publisher, version, earlier);
  });
  return { versionId, number: accepted.manifest.version, imageDigest: digest, listingId };
}

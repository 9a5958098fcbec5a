import { Problem } from "@/lib/contract/problem";
import type { Publisher } from "@/lib/domain/actor";
import { toStorageProblem } from "../blobs/incoming";
import { keepBlobs } from "../blobs/keep-blobs";
import { nameBlobs } from "../blobs/queries";
import type { Db } from "../database/connect";
import { followVersion } from "../manifest-drafts/follow-version";
import type { Platform } from "../platform/platform";
import { requireOwnApp } from "../versions/accept-manifest";
import { selectNumberOfImage, selectVersionNumbers } from "../versions/queries";
import { requireStorage } from "../versions/storage-quota";
import { addVersion, lockTarget, requireListing, requireNewest } from "../versions/store-version";
import { inspectUpload } from "./inspect-upload";
import {
  forgetStaged,
  isDamaged,
  receiveImage,
  type PublishedImage,
  type ReceivedImage,
} from "./receive-image";
import { beginUpload } from "./uploads";

export type PublishInput = PublishedImage & {
  /** `<org-name>/<app-name>`, or `<app-name>`. */
  appName: string;
  /** The version number to publish. By default the one in the image. */
  declaredVersion?: string;
  /** Aborted when the sender is gone: nothing is published then. */
  signal?: AbortSignal;
};

export interface PublishedVersion {
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
  { appName, declaredVersion, signal, ...published }: PublishInput,
): Promise<PublishedVersion> {
  const { db, environment } = platform;
  const { name, app } = requireOwnApp(publisher, appName);
  const listingId = await requireListing(platform, publisher, app);
  if (declaredVersion !== undefined)
    requireNewest(declaredVersion, await selectVersionNumbers(db, listingId));
  const upload = await beginUpload(environment, publisher.organizationId, signal);
  let received: ReceivedImage | undefined;
  try {
    received = await receiveImage(platform, upload, published);
    const { bytes, sent } = received;
    const { blobs, ...inspected } = await inspectUpload(upload, bytes, { name, declaredVersion, sent });
    const { manifest, manifestText, imageDigest, archiveDigest } = inspected;
    const version = { listingId, ...inspected, bundleKind: "image" as const };
    // Again in the transaction. Here, nothing has to be stored and removed for it.
    requireNewest(manifest.version, await selectVersionNumbers(db, listingId));
    await requireNewImage(db, listingId, imageDigest);
    const requireRoom = (tx: Db) => requireStorage(tx, environment, publisher.organizationId);
    const kept = await keepBlobs(platform, publisher.organizationId, blobs, requireRoom);
    const add = async (tx: Db) => {
      await lockTarget(tx, publisher, listingId);
      await requireNewImage(tx, listingId, imageDigest);
      const versionId = await addVersion(platform, tx, publisher, version);
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

/** The number can be declared, so an image that was published before would pass for a new one. */
async function requireNewImage(tx: Db, listingId: string, imageDigest: string): Promise<void> {
  const number = await selectNumberOfImage(tx, listingId, imageDigest);
  if (number === undefined) return;
  throw new Problem(
    "VERSION_EXISTS",
    `This image was already published as version ${number}. Build it again with your changes, then publish it.`,
  );
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
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
import { selectRepeated } from "../version-queries";
import { digestFolder } from "./example-folder";
import { followVersion } from "./manifest-draft";
import { type PublishedImage, type ReceivedImage, receiveImage } from "./receive-image";
import { beginUpload, inspectUpload } from "./uploads";

type PublishInput = PublishedImage & {
  /** `<org-name>/<app-name>`, or `<app-name>`. */
  appName: string;
  /** The version number to publish. By default the one in the image. */
  declaredVersion?: string;
  /** Which of several images, such as `linux/amd64/v2`. */
  wanted?: string | undefined;
  /** Markdown. */
  releaseNotes?: string;
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
  /** What will keep the app from running; undefined if nothing is known. */
  warnings?: string[];
}

/**
 * Creates a version from an uploaded image. Anything that can be refused without the upload is refused before reading it.
 *
 * A repeated request gets the result of the first, because a sender whose connection broke can't know that its version exists. Its
 * image is stored again, in case the store has lost it.
 * Throws `NOT_FOUND`, `BAD_BUNDLE`, `BAD_MANIFEST`, `VERSION_EXISTS`, `WRONG_STATE`, `REGISTRY_FAILED`, `TOO_LARGE`, `STORAGE_FULL`,
 * `QUOTA_EXCEEDED`, `TOO_MANY_REQUESTS`, `UNAVAILABLE`.
 */
export async function publishVersion(
  platform: Platform,
  publisher: Publisher,
  { appName, declaredVersion, releaseNotes, wanted, signal, ...sentImage }: PublishInput,
): Promise<PublishedVersion> {
  const { db, environment } = platform;
  const { name, app } = requireOwnApp(publisher, appName);
  const { listingId, published } = await findTarget(platform, publisher, app);
  // Only the image shows whether the request for a number that exists is a repeated one.
  if (declaredVersion !== undefined && published.every(({ number }) => number !== declaredVersion))
    requireNewest(declaredVersion, published);
  const { organizationId } = publisher;
  const isNewcomer = !(await hasVerifiedVersion(db, organizationId));
  const upload = await beginUpload(environment, { organizationId, isNewcomer }, signal);
  let received: ReceivedImage | undefined;
  try {
    received = await receiveImage(platform, upload, sentImage, wanted);
    const { bytes, sent } = received;
    const expected = { name, declaredVersion, sent, wanted: received.wanted };
    const { blobs, warnings, ...inspected } = await inspectUpload(upload, bytes, expected);
    const { manifest, manifestText, imageDigest, archiveDigest } = inspected;
    const version = { listingId, ...inspected, releaseNotes, bundleKind: "image" as const };
    // Again in the transaction. Here, nothing has to be stored and removed for it.
    if ((await findRepeated(db, version)) === undefined) {
      requireNewest(manifest.version, published);
      requireNewImage(imageDigest, published);
    }
    const requireRoom = (tx: Db) => requireStorage(tx, environment, publisher.organizationId);
    const kept = await keepBlobs(platform, publisher.organizationId, blobs, requireRoom);
    const add = async (tx: Db) => {
      const earlier = await lockTarget(tx, publisher, listingId);
      const repeated = await findRepeated(tx, version);
      if (repeated === undefined) requireNewImage(imageDigest, earlier);
      const versionId = repeated ?? (await addVersion(platform, tx, publisher, version, earlier));
      await nameBlobs(tx, archiveDigest, blobs);
      const isNewest = earlier.every(({ number }) => compareVersions(number, manifest.version) <= 0);
      const followed = { listingId, versionId, manifest, manifestText };
      const draftRevision = isNewest ? await followVersion(platform, tx, publisher, followed) : undefined;
      upload.signal.throwIfAborted();
      return { versionId, draftRevision };
    };
    const added = await db.transaction(add).catch(async (error: unknown) => {
      await kept.release();
      throw error;
    });
    await forgetStaged(platform, publisher.organizationId, sent);
    const known = warnings.length > 0 ? { warnings } : {};
    return { ...added, ...known, number: manifest.version, imageDigest, listingId };
  } catch (error) {
    if (isDamaged(error)) await forgetStaged(platform, publisher.organizationId, received?.sent);
    throw toStorageProblem(error);
  } finally {
    await upload.end();
  }
}

/**
 * The version of an earlier request for exactly this one. Notes that were not sent are not compared. Throws `VERSION_EXISTS` if only the
 * notes differ.
 */
async function findRepeated(
  db: Db,
  version: Parameters<typeof selectRepeated>[1] & { releaseNotes?: string },
): Promise<string | undefined> {
  const repeated = await selectRepeated(db, version);
  const { releaseNotes, manifest } = version;
  if (repeated === undefined || releaseNotes === undefined || releaseNotes === repeated.releaseNotes)
    return repeated?.id;
  throw new Problem(
    "VERSION_EXISTS",
    `Version ${manifest.version} was already published with this image and ${repeated.releaseNotes === "" ? "no" : "other"} release notes. To change its notes, open the version on the listing's page. To repeat the publication, send it without notes.`,
  );
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

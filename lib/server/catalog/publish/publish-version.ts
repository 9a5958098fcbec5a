import { link, readFile } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import type { Publisher } from "@/lib/domain/platform/actor";
import { badBundle, BUNDLE_LIMITS } from "../../images/bad-bundle";
import { deleteBlobUploads, nameBlobs, selectOwnBlobs, touchBlobUploads } from "../../images/blob-queries";
import { openStore, toHex } from "../../images/blob-store";
import { toStorageProblem } from "../../images/incoming-folder";
import { keepBlobs } from "../../images/keep-blobs";
import { receiveUpload } from "../../images/receive-upload";
import { listBlobs, type NamedBlob, type SentBlob, type SentImage } from "../../images/sent-image";
import { readStagedBytes, removeStaged, stagedPath } from "../../images/staged-blobs";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { acceptManifest, requireOwnApp } from "../accept-manifest";
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
import { openRemoteImage, type RemoteImage } from "./remote-image";
import { beginUpload, inspectUpload, type Upload } from "./uploads";

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
  const upload = await beginUpload(environment, publisher.organizationId, signal);
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

// Brings what a publisher has sent to where the checks read it.

export type PublishedImage =
  /** A tar, gzipped or not: the output of `docker save`, or an OCI layout. */
  | { archive: NodeJS.ReadableStream }
  /** An OCI manifest. The organization has sent its blobs before. */
  | { manifest: string }
  /** An image in a registry of the publisher. */
  | { from: RemoteImage };

interface ReceivedImage {
  bytes: number;
  /** Undefined for an archive. */
  sent?: SentImage;
}

/** Throws `BAD_BUNDLE`, `BAD_INPUT`, `REGISTRY_FAILED`, `TOO_LARGE`, `TOO_SLOW`, `STORAGE_FULL`. */
async function receiveImage(
  platform: Platform,
  upload: Upload,
  image: PublishedImage,
): Promise<ReceivedImage> {
  if ("archive" in image) return { bytes: await receiveUpload(image.archive, upload.folder, upload.signal) };
  if ("manifest" in image) {
    const { named, bytes } = measureImage(image.manifest);
    const { found, missing } = await findBlobs(platform, upload, named);
    if (missing.length > 0) throw lacking(missing.map(({ digest }) => digest));
    return { bytes, sent: { manifest: image.manifest, blobs: found } };
  }
  const remote = await openRemoteImage(platform.environment, image.from, upload.signal);
  try {
    const { named, bytes } = measureImage(remote.manifest);
    const { found, missing } = await findBlobs(platform, upload, named);
    for (const blob of missing) found.push(await remote.pull(blob, upload.folder));
    return { bytes, sent: { manifest: remote.manifest, blobs: found } };
  } finally {
    await remote.close();
  }
}

/** Throws `BAD_BUNDLE`, `TOO_LARGE`. */
function measureImage(manifest: string): { named: NamedBlob[]; bytes: number } {
  const named = listBlobs(manifest);
  const bytes = named.reduce((sum, blob) => sum + blob.bytes, 0);
  if (bytes > BUNDLE_LIMITS.archiveBytes)
    throw new Problem(
      "TOO_LARGE",
      "The image is larger than 2 GiB. Build a smaller one, for example from a slim base image.",
    );
  if (named.length > BUNDLE_LIMITS.layers + 1) {
    const message = `The image has ${named.length - 1} layers; at most ${BUNDLE_LIMITS.layers} are allowed.`;
    throw badBundle("TOO_MANY_LAYERS", "", message);
  }
  return { named, bytes };
}

/** Only the organization's own blobs, whatever others have stored. */
async function findBlobs(
  { db, environment }: Platform,
  { organizationId, folder }: Upload,
  named: readonly NamedBlob[],
): Promise<{ found: SentBlob[]; missing: NamedBlob[] }> {
  const store = openStore(environment);
  const digests = named.map(({ digest }) => digest);
  const own = new Map((await selectOwnBlobs(db, organizationId, digests)).map((blob) => [blob.digest, blob]));
  const sending = new Set((await touchBlobUploads(db, organizationId, digests)).map(({ digest }) => digest));
  const found: SentBlob[] = [];
  const missing: NamedBlob[] = [];
  for (const { digest, bytes } of named) {
    const stored = own.get(digest);
    const staged = { organizationId, digest };
    if (stored !== undefined && (await store.has(stored)))
      found.push({ digest, bytes: stored.bytes, file: await store.place(stored, folder), isStored: true });
    else if (sending.has(digest) && (await readStagedBytes(environment, staged)) === bytes) {
      // The scan reads it through a name of its own, because another publication may remove the staged one.
      const file = path.join(folder, `staged-${toHex(digest)}`);
      await link(stagedPath(environment, staged), file);
      found.push({ digest, bytes, file, isStored: false });
    } else missing.push({ digest, bytes });
  }
  return { found, missing };
}

function lacking(digests: readonly string[]): Problem {
  const what = digests.length === 1 ? "1 blob" : `${digests.length} blobs`;
  const problem = badBundle(
    "BLOB_MISSING",
    digests[0] ?? "",
    `Your organization has not sent ${what} of this image completely, starting with ${digests[0] ?? ""}.`,
    "Send what is missing, then publish again.",
  );
  const hint = "Upload it to /publish/v1/uploads, then publish again.";
  const issues = digests.map((pointer) => ({
    code: "BLOB_MISSING" as const,
    pointer,
    hint,
    severity: "error" as const,
    message: `${pointer} is missing or incomplete.`,
  }));
  return new Problem(problem.code, problem.detail, issues);
}

/** Whether sending the same blobs again may help: their bytes are not what their names say. */
function isDamaged(error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.issues.some(({ code }) => code === "WRONG_DIGEST" || code === "LAYER_BROKEN")
  );
}

/** Removes the staged copies of an image's blobs. */
async function forgetStaged(
  { db, environment }: Platform,
  organizationId: string,
  sent: SentImage | undefined,
): Promise<void> {
  if (sent === undefined) return;
  const digests = sent.blobs.map(({ digest }) => digest);
  await db.transaction(async (tx) => {
    await deleteBlobUploads(tx, organizationId, digests);
    for (const digest of digests) await removeStaged(environment, { organizationId, digest });
  });
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

/** Brings what a publisher has sent to where the checks read it. */
import { link } from "node:fs/promises";
import path from "node:path";
import { Problem } from "@/lib/contract/problem";
import { toHex } from "../blobs/blob-store";
import { openStore } from "../blobs/open-store";
import { deleteBlobUploads, selectOwnBlobs, touchBlobUploads } from "../blobs/queries";
import { readStagedBytes, removeStaged, stagedPath } from "../blobs/staged-blobs";
import { badBundle, BUNDLE_LIMITS } from "../bundles/bad-bundle";
import { receiveUpload } from "../bundles/receive-upload";
import { listBlobs, type NamedBlob, type SentBlob, type SentImage } from "../bundles/sent-image";
import type { Platform } from "../platform/platform";
import { openRemoteImage, type RemoteImage } from "./remote-image";
import type { Upload } from "./uploads";

export type PublishedImage =
  /** A tar, gzipped or not: the output of `docker save`, or an OCI layout. */
  | { archive: NodeJS.ReadableStream }
  /** An OCI manifest. The organization has sent its blobs before. */
  | { manifest: string }
  /** An image in a registry of the publisher. */
  | { from: RemoteImage };

export interface ReceivedImage {
  bytes: number;
  /** Undefined for an archive. */
  sent?: SentImage;
}

/** Throws `BAD_BUNDLE`, `BAD_INPUT`, `REGISTRY_FAILED`, `TOO_LARGE`, `TOO_SLOW`, `STORAGE_FULL`. */
export async function receiveImage(
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
    ...{ code: "BLOB_MISSING" as const, pointer, hint, severity: "error" as const },
    message: `${pointer} is missing or incomplete.`,
  }));
  return new Problem(problem.code, problem.detail, issues);
}

/** Whether sending the same blobs again may help: their bytes are not what their names say. */
export function isDamaged(error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.issues.some(({ code }) => code === "WRONG_DIGEST" || code === "LAYER_BROKEN")
  );
}

/** Removes the staged copies of an image's blobs. */
export async function forgetStaged(
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

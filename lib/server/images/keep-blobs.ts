/** Puts the blobs of an image into the store while it is published, and removes those that nothing needs anymore. */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/platform/problem";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { DAY_MS, keptSince, type RetentionJob } from "../platform/retention-queries";
import { type SentImage, writeImageManifest } from "./archive/image";
import { sha256 } from "./archive/index-archive";
import type { ReceivedBundle } from "./archive/read-bundle";
import {
  deleteBlobUploads,
  deleteLostImages,
  deleteOldClaims,
  deleteOldUploads,
  deleteUnpublished,
  deleteUnused,
  lockBlobRemoval,
  touchBlobs,
} from "./blob-queries";
import { openStore, type SizedBlob } from "./blob-store";
import { openStaging } from "./staged-blobs";
import { StoreUnreachable } from "./registry-client";

export interface CheckedBlob extends SizedBlob {
  /** A file in an incoming folder that contains it. Undefined if it came from the store. */
  file?: string;
}

interface KeptBlobs {
  /** Removes what only this publication has stored. Call it if the version was not added. */
  release(): Promise<void>;
}

/**
 * Rows first, so that nothing is in the store that the clean-up doesn't know. Blobs that are already stored are not written.
 * @param requireRoom throws if the organization may not store this much; runs with the rows in place
 */
export async function keepBlobs(
  { db, environment }: Platform,
  organizationId: string,
  blobs: readonly CheckedBlob[],
  requireRoom: (tx: Db) => Promise<void>,
): Promise<KeptBlobs> {
  const store = openStore(environment);
  const publicationId = randomUUID();
  const added = await db.transaction(async (tx) => {
    const digests = await touchBlobs(tx, organizationId, publicationId, blobs);
    await requireRoom(tx);
    return digests;
  });
  const release = () =>
    db.transaction(async (tx) => {
      const unused = await deleteUnpublished(tx, organizationId, publicationId, added);
      for (const blob of unused) await store.remove(blob);
    });
  try {
    for (const { file, ...blob } of blobs) {
      if (await store.has(blob)) continue;
      if (file === undefined) throw removed();
      await store.adopt(blob, file);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/** It had been unused for a day, and the clean-up removed it first. */
function removed(): Problem {
  return new Problem(
    "UNAVAILABLE",
    "A layer of this image was removed from the platform while it was published. Publish again to send it.",
  );
}

/** Removes the staged copies of an image's blobs. What a store keeps that can't be reached is removed by the clean-up. */
export async function forgetStaged(
  platform: Platform,
  organizationId: string,
  sent: SentImage | undefined,
): Promise<void> {
  if (sent === undefined) return;
  const digests = sent.blobs.map(({ digest }) => digest);
  const staging = openStaging(platform);
  const ended = await platform.db.transaction(async (tx) => {
    const uploads = await deleteBlobUploads(tx, organizationId, digests);
    await staging.forget(uploads);
    return uploads;
  });
  await staging.clear(ended).catch((error: unknown) => {
    if (!(error instanceof StoreUnreachable)) throw error;
    platform.log.warn({ err: error }, "pieces of an upload were not removed");
  });
}

// Removes blobs that no version names, of publications that failed or never ended, and uploads that nobody continued.

/** Small, because a batch is removed within its transaction. */
const BATCH = 50;

/**
 * Removes what no publication has touched since `before`. Each row is locked while its blob is removed, so a publication that
 * needs the blob waits, and then stores it again. Returns how many blobs were removed.
 */
export async function collectBlobs(
  { db, environment }: Platform,
  before: Date,
  { pauseMs, signal }: { pauseMs: number; signal?: AbortSignal },
): Promise<number> {
  const store = openStore(environment);
  let removed = 0;
  // A later run removes what a backup still copies.
  const isAllowed = await db.transaction(async (tx) => {
    if (!(await lockBlobRemoval(tx))) return false;
    await deleteLostImages(tx);
    return true;
  });
  if (!isAllowed) return 0;
  for (let claims = BATCH; claims === BATCH && signal?.aborted !== true;)
    claims = await db.transaction((tx) => deleteOldClaims(tx, before, BATCH));
  for (let batch = BATCH; batch === BATCH && signal?.aborted !== true;) {
    batch = await db.transaction(async (tx) => {
      if (!(await lockBlobRemoval(tx))) return 0;
      const blobs = await deleteUnused(tx, before, BATCH);
      for (const blob of blobs) await store.remove(blob);
      return blobs.length;
    });
    removed += batch;
    if (batch === BATCH) await sleep(pauseMs);
  }
  return removed;
}

/** Removes uploads that nobody has touched since `before`, with the bytes that have arrived. Returns how many. */
export async function removeOldUploads(
  platform: Platform,
  before: Date,
  { pauseMs, signal }: { pauseMs: number; signal?: AbortSignal },
): Promise<number> {
  const staging = openStaging(platform);
  let removed = 0;
  for (let batch = BATCH; batch === BATCH && signal?.aborted !== true;) {
    batch = await platform.db.transaction(async (tx) => {
      const uploads = await deleteOldUploads(tx, before, BATCH);
      await staging.forget(uploads);
      return uploads.length;
    });
    removed += batch;
    if (batch === BATCH) await sleep(pauseMs);
  }
  await staging.clearOld(before);
  return removed;
}

/** A day, so that a publication can be sent again without sending its blobs again. */
export const BLOB_RETENTION: RetentionJob[] = [
  {
    name: "uploads",
    run: (platform, { now, ...options }) =>
      removeOldUploads(platform, keptSince(platform, DAY_MS, now), options),
  },
  {
    name: "blobs",
    run: (platform, { now, ...options }) => collectBlobs(platform, keptSince(platform, DAY_MS, now), options),
  },
];

// What the store keeps of a checked image: its layers as uploaded, its configuration, and a manifest that names them.

export interface WrittenImage {
  /** Of the image's manifest. */
  archiveDigest: string;
  /** Of all blobs together. A repeated layer counts once. */
  archiveBytes: number;
  /** Each blob once, the manifest last: a registry takes it only after what it names. */
  blobs: CheckedBlob[];
}

/** @param folder the upload's; the layers are in it already */
export async function writeBlobs({ image, layers }: ReceivedBundle, folder: string): Promise<WrittenImage> {
  const blobs = new Map<string, CheckedBlob>();
  for (const { digest, bytes, file } of layers)
    if (!blobs.has(digest)) blobs.set(digest, { kind: "blob", digest, bytes, file });
  const config = { digest: image.digest, bytes: image.config.length };
  const manifest = writeImageManifest({ config, layers: [...layers] });
  const archiveDigest = sha256(manifest);
  const files = { config: path.join(folder, "config"), manifest: path.join(folder, "manifest") };
  await writeFile(files.config, image.config, { flag: "wx", mode: 0o600 });
  await writeFile(files.manifest, manifest, { flag: "wx", mode: 0o600 });
  const all: CheckedBlob[] = [
    ...blobs.values(),
    { kind: "blob", ...config, file: files.config },
    { kind: "manifest", digest: archiveDigest, bytes: manifest.length, file: files.manifest },
  ];
  return { archiveDigest, archiveBytes: all.reduce((sum, { bytes }) => sum + bytes, 0), blobs: all };
}

/** An image that was sent blob by blob. It is read as an OCI layout whose files are in different places. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { digestText, parseDocument } from "./image";
import type { ArchiveIndex, IndexedEntry } from "./index-archive";
import { blobName } from "./read-image";

export interface SentBlob {
  digest: string;
  bytes: number;
  /** Contains it. Not verified, unless it says so. */
  file: string;
  isStored: boolean;
  /** Whether the file is in the upload's folder, and its digest was computed while it was written. */
  isVerified?: boolean;
}

export interface SentImage {
  /** The OCI manifest, as it was sent. */
  manifest: string;
  /** Its configuration and layers. */
  blobs: SentBlob[];
}

/** What builders and registries call the manifest of one image. */
export const MANIFEST_TYPES: readonly string[] = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

const descriptor = z.looseObject({ digest: digestText, size: z.number().int().nonnegative() });
const manifestShape = z.looseObject({ config: descriptor, layers: z.array(descriptor) });

export interface NamedBlob {
  digest: string;
  /** According to the manifest. */
  bytes: number;
}

/** The blobs that an image consists of, each once. Throws `BAD_BUNDLE`. */
export function listBlobs(manifest: string): NamedBlob[] {
  const { config, layers } = parseDocument(manifestShape, Buffer.from(manifest), "the manifest");
  const bytes = new Map([config, ...layers].map(({ digest, size }) => [digest, size]));
  return [...bytes].map(([digest, size]) => ({ digest, bytes: size }));
}

/** @param folder the upload's, which gets the documents that name the blobs */
export async function indexBlobs(folder: string, { manifest, blobs }: SentImage): Promise<ArchiveIndex> {
  const digest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;
  const size = Buffer.byteLength(manifest);
  const root = JSON.stringify({ manifests: [{ digest, size }] });
  const files = { root: path.join(folder, "index"), manifest: path.join(folder, "sent-manifest") };
  await writeFile(files.root, root, { flag: "wx", mode: 0o600 });
  await writeFile(files.manifest, manifest, { flag: "wx", mode: 0o600 });
  const entries = [
    toEntry("index.json", files.root, root.length),
    toEntry(blobName(digest), files.manifest, size),
    ...blobs.map(({ digest: each, file, bytes, isStored, isVerified = false }) => ({
      ...toEntry(blobName(each), file, bytes),
      isStored,
      ...(isVerified && { digest: each }),
    })),
  ];
  return { entries: new Map(entries.map((entry) => [entry.name, entry])), ambiguous: new Set() };
}

function toEntry(name: string, file: string, size: number): IndexedEntry {
  return { name, type: "file", linkName: "", size, offset: 0, file };
}

import { open } from "node:fs/promises";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { indexArchive, type ArchiveIndex } from "./archive-index";
import { badBundle } from "./bad-bundle";
import { indexBlobs, type SentImage } from "./sent-image";
import { unpackArchive } from "./unpack-archive";
import type { Image } from "./image";
import { readImage } from "./read-image";
import { uploadPath } from "./receive-upload";
import { scanLayers, type ScannedLayer } from "./scan-layers";

/** A checked image. Each of its layers is a file in the upload's folder; `writeBlobs` adds the rest. */
export interface ReceivedBundle {
  /** Source text of the manifest in the image. */
  manifestText: string;
  image: Image;
  layers: readonly ScannedLayer[];
}

/**
 * Checks the upload in `folder`, an archive unless the image was sent blob by blob. Hostile archives can keep it busy and make it allocate: only run it in a thread that can
 * be terminated (`lib/server/publishing/inspect-upload.ts`).
 */
export async function readBundle(folder: string, sent?: SentImage): Promise<ReceivedBundle> {
  const index = sent === undefined ? await indexUpload(folder) : await indexBlobs(folder, sent);
  const image = await readImage(index);
  const { layers, manifest } = await scanLayers(folder, image);
  return { manifestText: decodeManifest(manifest), image, layers };
}

async function indexUpload(folder: string): Promise<ArchiveIndex> {
  const uploaded = uploadPath(folder);
  return (await isGzip(uploaded)) ? unpackArchive(uploaded, folder) : indexArchive(uploaded);
}

async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function decodeManifest(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badBundle("MANIFEST_NOT_UTF8", MANIFEST_FILE, `${MANIFEST_FILE} is not valid UTF-8.`);
  }
}

import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { createGunzip } from "node:zlib";
import { MANIFEST_FILE } from "@/lib/contract/names";
import { indexArchive } from "./archive-index";
import { badBundle, isBomb } from "./bad-bundle";
import { indexBlobs, type SentImage } from "./sent-image";
import type { Image } from "./image";
import { readImage } from "./read-image";
import { refuseWith, uploadPath, writeCapped } from "./receive-upload";
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
  const index =
    sent === undefined ? await indexArchive(await unpackArchive(folder)) : await indexBlobs(folder, sent);
  const image = await readImage(index);
  const { layers, manifest } = await scanLayers(folder, image);
  return { manifestText: decodeManifest(manifest), image, layers };
}

/** Returns the path of the archive. One that is gzipped as a whole is unpacked. */
async function unpackArchive(folder: string): Promise<string> {
  const uploaded = uploadPath(folder);
  if (!(await isGzip(uploaded))) return uploaded;
  const plain = path.join(folder, "unpacked");
  const source = createReadStream(uploaded);
  const gunzip = source.pipe(createGunzip());
  source.on("error", (error) => gunzip.destroy(error));
  // It may fail before anybody reads it, which would end the thread. Whoever reads it then gets the error.
  gunzip.on("error", () => {});
  const broken = badBundle(
    "ARCHIVE_BROKEN",
    "",
    "The archive's gzip stream is damaged or truncated.",
    "Save the image again.",
  );
  await writeCapped(refuseWith(broken, gunzip), plain, (bytes) => {
    if (isBomb(gunzip.bytesWritten, bytes))
      throw badBundle("DECOMPRESSION_BOMB", "", "The archive unpacks to more than 200 times its size.");
  }).finally(() => source.destroy());
  await rm(uploaded);
  return plain;
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

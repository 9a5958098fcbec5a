import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MANIFEST_FILE } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { indexArchive, type ArchiveIndex } from "./archive-index";
import { badBundle, BUNDLE_LIMITS, isBomb } from "./bad-bundle";
import type { Image } from "./image";
import { readImage } from "./read-image";
import { scanLayers, type ScannedLayer } from "./scan-layers";

/** A checked image whose archive is in the upload's folder; `writeArchive` writes the normalized one. */
export interface ReceivedBundle {
  /** Source text of the manifest in the image. */
  manifestText: string;
  index: ArchiveIndex;
  image: Image;
  layers: readonly ScannedLayer[];
}

/** Writes an upload into `folder` and checks it. */
export async function receiveBundle(archive: NodeJS.ReadableStream, folder: string): Promise<ReceivedBundle> {
  const index = await indexArchive(await receiveArchive(archive, folder));
  const image = await readImage(index);
  const { layers, manifest } = await scanLayers(index, image);
  return { manifestText: decodeManifest(manifest), index, image, layers };
}

/** Returns the path of the archive. One that is gzipped as a whole is unpacked. */
async function receiveArchive(archive: NodeJS.ReadableStream, folder: string): Promise<string> {
  const uploaded = path.join(folder, "uploaded");
  // The stream stays open after a refusal: destroying a request would cut its response off too.
  const readable = archive instanceof Readable ? archive : new Readable().wrap(archive);
  const chunks: AsyncIterable<Buffer> = readable.iterator({ destroyOnReturn: false });
  const interrupted = badBundle("ARCHIVE_BROKEN", "", "The upload was interrupted.", "Send it again.");
  await writeCapped(refuseWith(interrupted, chunks), uploaded, () => {});
  if (!(await isGzip(uploaded))) return uploaded;
  const plain = path.join(folder, "unpacked");
  const source = createReadStream(uploaded);
  const gunzip = source.pipe(createGunzip());
  source.on("error", (error) => gunzip.destroy(error));
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

async function writeCapped(
  source: AsyncIterable<Buffer>,
  file: string,
  check: (bytes: number) => void,
): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > BUNDLE_LIMITS.archiveBytes)
        throw new Problem(
          "TOO_LARGE",
          "The archive is larger than 2 GiB. Build a smaller image, for example from a slim base image.",
        );
      check(bytes);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
}

/** The same chunks. Failing to read one is the sender's fault, so it becomes `problem`. */
async function* refuseWith(problem: Problem, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(() => {
        throw problem;
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
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

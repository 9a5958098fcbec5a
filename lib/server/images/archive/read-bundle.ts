import { createHash, type Hash } from "node:crypto";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { badBundle, BUNDLE_LIMITS, isBomb } from "./bad-bundle";
import { type Compression, decompress, detectCompression, LargeWindow } from "./decompress";
import { type Image, type ImageLayer, type ManifestLayer, type SentImage } from "./image";
import { type ArchiveIndex, indexArchive, indexBlobs, uploadPath } from "./index-archive";
import { readImage } from "./read-image";
import { RootManifest } from "./root-manifest";
import { type TarEntry, TarScanner } from "./tar-scanner";
import { toText } from "./tar-text";
import { unpackArchive } from "./unpack-archive";

/** A checked image. Each of its layers is a file in the upload's folder; `writeBlobs` adds the rest. */
export interface ReceivedBundle {
  /** Source text of the manifest in the image. */
  manifestText: string;
  image: Image;
  layers: readonly ScannedLayer[];
}

/**
 * Checks the upload in `folder`, an archive unless the image was sent blob by blob. Hostile archives can keep it busy and make it allocate: only run it in a thread that can
 * be terminated (`lib/server/catalog/publish/uploads.ts`). `wanted`: the platform, if the archive has several images.
 */
export async function readBundle(
  folder: string,
  { sent, wanted }: { sent?: SentImage; wanted?: string } = {},
): Promise<ReceivedBundle> {
  const index: FileIndex = sent === undefined ? await indexUpload(folder) : await indexBlobs(folder, sent);
  const image = await readImage(index, wanted);
  const { layers, manifest } = await scanLayers(image, { folder, packedBytes: index.packedBytes });
  return { manifestText: decodeManifest(manifest.bytes()), image, layers };
}

async function indexUpload(folder: string): Promise<FileIndex> {
  const uploaded = uploadPath(folder);
  const index = await indexFile(uploaded, folder);
  if (index.packedBytes !== undefined) await rm(uploaded);
  return index;
}

/**
 * The same checks where the image comes from, before it is sent. The layers stay where they are: `image.layers` opens them.
 * @param folder where an archive that is gzipped as a whole is unpacked
 */
export async function inspectArchive(file: string, folder: string, wanted?: string) {
  const index = await indexFile(file, folder);
  const image = await readImage(index, wanted);
  return { image, ...(await scanLayers(image, index)) };
}

interface FileIndex extends ArchiveIndex {
  /** The archive's size, if it was gzipped as a whole. */
  packedBytes?: number;
}

async function indexFile(file: string, folder: string): Promise<FileIndex> {
  const packedBytes = await readGzipSize(file);
  if (packedBytes === undefined) return indexArchive(file);
  return { ...(await unpackArchive(file, folder)), packedBytes };
}

/** Undefined if the file isn't gzip. */
async function readGzipSize(file: string): Promise<number | undefined> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b ? (await handle.stat()).size : undefined;
  } finally {
    await handle.close();
  }
}

export function decodeManifest(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badBundle("MANIFEST_NOT_UTF8", MANIFEST_FILE, `${MANIFEST_FILE} is not valid UTF-8.`);
  }
}

interface ScannedLayer extends ManifestLayer {
  /** Of the decompressed tar. */
  diffId: string;
  /** Contains the layer as stored. Undefined if the store already has it. */
  file: string | undefined;
}

interface Totals {
  /** Decompressed. */
  bytes: number;
  /** As stored. Each blob counts once, however many layers name it. */
  storedBytes: number;
  /** Of the whole archive, if it was gzipped; otherwise there is no such limit. Layers may unpack to 200 times what was sent. */
  packedBytes: number;
  entries: number;
  /** By the name of the source. Each is read once, however many layers name it. */
  scanned: Map<string, { layer: ScannedLayer; entries?: KeptEntry[] }>;
}

/** An entry of a layer that comes again, with its content if the manifest may need it. */
interface KeptEntry {
  entry: TarEntry;
  chunks: Buffer[];
}

/**
 * Reads every layer once: checks digests and limits, and finds the manifest in the union of the layers. `folder` gets each layer as a file, so
 * that nothing has to read it again.
 */
export async function scanLayers(
  image: Image,
  { folder, packedBytes = Infinity }: { folder?: string; packedBytes?: number } = {},
): Promise<{ layers: ScannedLayer[]; manifest: RootManifest }> {
  const manifest = new RootManifest();
  const totals: Totals = { bytes: 0, storedBytes: 0, packedBytes, entries: 0, scanned: new Map() };
  const layers: ScannedLayer[] = [];
  const names = image.layers.map(({ source }) => source.name);
  for (const [at, layer] of image.layers.entries()) {
    const { name } = layer.source;
    manifest.startLayer(name);
    const known = totals.scanned.get(name);
    const isRepeated = names.includes(name, at + 1);
    layers.push(
      known === undefined
        ? await scanLayer(layer, manifest, totals, isRepeated, folder)
        : repeatLayer(known.layer, known.entries ?? [], layer, manifest, totals),
    );
    manifest.endLayer();
  }
  return { layers, manifest };
}

async function scanLayer(
  layer: ImageLayer,
  manifest: RootManifest,
  totals: Totals,
  isRepeated: boolean,
  folder: string | undefined,
): Promise<ScannedLayer> {
  const { name, own, isStored } = layer.source;
  const compression = await readCompression(layer);
  const copy =
    folder === undefined || own !== undefined || isStored
      ? undefined
      : path.join(folder, `layer-${totals.scanned.size}`);
  // What is known already isn't computed again: hashing takes longer than reading.
  const stored = own === undefined ? createHash("sha256") : undefined;
  const plain = compression !== "plain" ? createHash("sha256") : undefined;
  const entries: KeptEntry[] | undefined = isRepeated ? [] : undefined;
  let plainBytes = 0;
  const scanner = new TarScanner((entry) => {
    countEntry(totals, entry);
    const sink = manifest.entry(entry);
    if (entries === undefined) return sink;
    const chunks: Buffer[] = [];
    entries.push({ entry, chunks });
    return sink && ((chunk) => (chunks.push(Buffer.from(chunk)), sink(chunk)));
  });
  async function* content(): AsyncGenerator<Buffer> {
    const source = layer.source.open();
    for await (const chunk of copy === undefined ? source : copyTo(copy, source)) {
      stored?.update(chunk);
      totals.storedBytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await decompress(compression, content(), (chunk) => {
      plainBytes += chunk.length;
      countBytes(totals, name, chunk.length);
      if (plainBytes > BUNDLE_LIMITS.layerBytes)
        throw badBundle("LAYERS_TOO_LARGE", name, `The layer ${name} is larger than 4 GiB.`);
      plain?.update(chunk);
      scanner.push(chunk);
    });
    scanner.end();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem || "syscall" in error) throw error;
    if (error instanceof LargeWindow)
      throw badBundle("WINDOW_TOO_LARGE", name, `The layer ${name} can't be read: ${error.message}.`);
    throw badBundle("LAYER_BROKEN", name, `The layer ${name} can't be read: ${error.message}.`);
  }
  const digest = own?.digest ?? toDigest(stored);
  const diffId = plain === undefined ? digest : toDigest(plain);
  const { bytes } = layer.source;
  const scanned = { diffId, digest, bytes, compression, plainBytes, file: own?.file ?? copy };
  requireDigests(scanned, layer);
  totals.scanned.set(name, { layer: scanned, entries });
  return scanned;
}

/** A layer of a blob that was read already. */
function repeatLayer(
  scanned: ScannedLayer,
  entries: readonly KeptEntry[],
  layer: ImageLayer,
  manifest: RootManifest,
  totals: Totals,
): ScannedLayer {
  requireDigests(scanned, layer);
  countBytes(totals, layer.source.name, scanned.plainBytes);
  for (const { entry, chunks } of entries) {
    countEntry(totals, entry);
    const sink = manifest.entry(entry);
    if (sink !== undefined) for (const chunk of chunks) sink(chunk);
  }
  return scanned;
}

function countEntry(totals: Totals, entry: TarEntry): void {
  totals.entries += 1;
  if (totals.entries > BUNDLE_LIMITS.layerEntries)
    throw badBundle("TOO_MANY_ENTRIES", toText(entry.name), "The image contains more than 500,000 entries.");
}

function countBytes(totals: Totals, name: string, bytes: number): void {
  totals.bytes += bytes;
  if (totals.bytes > BUNDLE_LIMITS.imageBytes)
    throw badBundle("LAYERS_TOO_LARGE", name, "The image's layers are larger than 8 GiB.");
  if (isBomb(Math.min(totals.storedBytes, totals.packedBytes), totals.bytes)) throw bomb(name);
}

function requireDigests({ diffId, digest }: ScannedLayer, layer: ImageLayer): void {
  const { name } = layer.source;
  if (diffId !== layer.diffId || (layer.blobDigest ?? digest) !== digest)
    throw badBundle("WRONG_DIGEST", name, `The layer ${name} doesn't match its digest.`);
}

function toDigest(hash: Hash | undefined): string {
  return `sha256:${hash?.digest("hex") ?? ""}`;
}

/** The same chunks, each written while the next one is read. */
async function* copyTo(file: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const handle = await open(file, "wx", 0o600);
  let writing = Promise.resolve();
  try {
    for await (const chunk of content) {
      await writing;
      writing = handle.writeFile(chunk);
      // Reported by the next `await writing`.
      writing.catch(() => {});
      yield chunk;
    }
    await writing;
  } finally {
    await writing.catch(() => {});
    await handle.close();
  }
}

function bomb(name: string): Problem {
  const message = `With the layer ${name}, the image unpacks to more than 200 times its size.`;
  return badBundle("DECOMPRESSION_BOMB", name, message);
}

async function readCompression({ source }: ImageLayer): Promise<Compression> {
  const content = source.open()[Symbol.asyncIterator]();
  try {
    for (let next = await content.next(); next.done !== true; next = await content.next())
      if (next.value.length >= 4) return detectCompression(next.value);
    return "plain";
  } finally {
    await content.return?.();
  }
}

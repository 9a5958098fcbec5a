import { createHash } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import { openEntry, type ArchiveIndex } from "./archive-index";
import { badBundle, BUNDLE_LIMITS, isBomb } from "./bad-bundle";
import { detectCompression, decompress, type Compression } from "./formats/decompress";
import type { Image, ImageLayer } from "./image";
import { RootManifest } from "./root-manifest";
import { TarScanner } from "./formats/tar-scanner";
import { LargeWindow } from "./formats/zstd-frames";

export interface ScannedLayer extends ImageLayer {
  compression: Compression;
  /** Bytes of the decompressed tar. */
  plainBytes: number;
}

interface Totals {
  /** Decompressed. */
  bytes: number;
  /** As stored. Each blob counts once, however many layers name it. */
  storedBytes: number;
  entries: number;
  /** Offsets in the archive. */
  blobs: Set<number>;
}

/** Reads every layer once: checks digests and limits, and finds the manifest in the union of the layers. */
export async function scanLayers(
  index: ArchiveIndex,
  image: Image,
): Promise<{ layers: ScannedLayer[]; manifest: Buffer }> {
  const manifest = new RootManifest();
  const totals: Totals = { bytes: 0, storedBytes: 0, entries: 0, blobs: new Set() };
  const layers: ScannedLayer[] = [];
  for (const layer of image.layers) {
    manifest.startLayer(layer.entry.name);
    layers.push(await scanLayer(index, layer, manifest, totals));
    manifest.endLayer();
  }
  return { layers, manifest: manifest.bytes() };
}

async function scanLayer(
  index: ArchiveIndex,
  layer: ImageLayer,
  manifest: RootManifest,
  totals: Totals,
): Promise<ScannedLayer> {
  const { entry } = layer;
  const stored = createHash("sha256");
  const plain = createHash("sha256");
  let plainBytes = 0;
  const isRepeated = totals.blobs.has(entry.offset);
  totals.blobs.add(entry.offset);
  const scanner = new TarScanner((found) => {
    totals.entries += 1;
    if (totals.entries > BUNDLE_LIMITS.layerEntries)
      throw badBundle("TOO_MANY_ENTRIES", found.name, "The image contains more than 500,000 entries.");
    return manifest.entry(found);
  });
  async function* content(): AsyncGenerator<Buffer> {
    for await (const chunk of openEntry(index, entry)) {
      stored.update(chunk);
      if (!isRepeated) totals.storedBytes += chunk.length;
      yield chunk;
    }
  }
  const compression = await readCompression(index, layer);
  try {
    await decompress(compression, content(), (chunk) => {
      plainBytes += chunk.length;
      totals.bytes += chunk.length;
      if (plainBytes > BUNDLE_LIMITS.layerBytes)
        throw badBundle("LAYERS_TOO_LARGE", entry.name, `The layer ${entry.name} is larger than 4 GiB.`);
      if (totals.bytes > BUNDLE_LIMITS.imageBytes)
        throw badBundle("LAYERS_TOO_LARGE", entry.name, "The image's layers are larger than 8 GiB.");
      if (isBomb(totals.storedBytes, totals.bytes)) throw bomb(entry.name);
      plain.update(chunk);
      scanner.push(chunk);
    });
    scanner.end();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem || "syscall" in error) throw error;
    if (error instanceof LargeWindow)
      throw badBundle(
        "WINDOW_TOO_LARGE",
        entry.name,
        `The layer ${entry.name} can't be read: ${error.message}.`,
      );
    throw badBundle("LAYER_BROKEN", entry.name, `The layer ${entry.name} can't be read: ${error.message}.`);
  }
  const isStored = layer.blobDigest === undefined || `sha256:${stored.digest("hex")}` === layer.blobDigest;
  if (!isStored || `sha256:${plain.digest("hex")}` !== layer.diffId)
    throw badBundle("WRONG_DIGEST", entry.name, `The layer ${entry.name} doesn't match its digest.`);
  return { ...layer, compression, plainBytes };
}

function bomb(name: string): Problem {
  const message = `With the layer ${name}, the image unpacks to more than 200 times its size.`;
  return badBundle("DECOMPRESSION_BOMB", name, message);
}

async function readCompression(index: ArchiveIndex, { entry }: ImageLayer): Promise<Compression> {
  const start = openEntry(index, { ...entry, size: Math.min(entry.size, 4) });
  for await (const chunk of start) if (chunk.length >= 4) return detectCompression(chunk);
  return "plain";
}

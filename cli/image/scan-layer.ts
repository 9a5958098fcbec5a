/** What one layer does to the manifest at the image's root. */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import tar, { type ExtractEvents, type Header } from "tar-stream";
import { MANIFEST_FILE, MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";

/** `bytes` is undefined for a link, folder or device, and for a file over the limit of manifests. */
export interface RootEntry {
  bytes: Buffer | undefined;
}

export interface LayerEffect {
  /** Whether it removes the manifest of the layers below. */
  hides: boolean;
  adds: RootEntry | undefined;
}

const HIDING = new Set([`.wh.${MANIFEST_FILE}`, ".wh..wh..opq"]);

export type Compression = "plain" | "gzip" | "zstd";

/** How a layer is stored; undefined if the first bytes of a file are not a layer's. */
export function detectLayer(start: Buffer): Compression | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip";
  if (start.length >= 4 && start.readUInt32LE(0) === 0xfd2fb528) return "zstd";
  const isTar = start.toString("latin1", 257, 262) === "ustar";
  // An empty tar consists of zeros.
  return isTar || (start.length >= 512 && start.subarray(0, 512).every((byte) => byte === 0))
    ? "plain"
    : undefined;
}

export async function scanLayer(
  content: AsyncIterable<Buffer>,
  compression: Compression,
): Promise<LayerEffect> {
  const effect: LayerEffect = { hides: false, adds: undefined };
  for await (const entry of readTar(Readable.from(decompress(content, compression)))) {
    const name = rootName(entry.header);
    if (HIDING.has(name)) effect.hides = true;
    if (name === MANIFEST_FILE) effect.adds = { bytes: await readManifest(entry) };
    else entry.resume();
  }
  return effect;
}

export type TarEntry = ExtractEvents["entry"][1];

/** The entries of a tar. Errors of the source end it. */
export function readTar(source: Readable): AsyncIterable<TarEntry> {
  const extract = tar.extract();
  source.on("error", (error) => extract.destroy(error));
  return source.pipe(extract);
}

/** The name of an entry, without `./` and slashes around it. */
export function rootName({ name }: Header): string {
  return name.replace(/^(\.?\/)+/, "").replace(/\/+$/, "");
}

async function readManifest(entry: TarEntry): Promise<Buffer | undefined> {
  const { type, size } = entry.header;
  if (type === "file" && size <= MANIFEST_LIMITS.bytes) return buffer(readBytes(entry));
  entry.resume();
  return undefined;
}

/** The chunks of a tar's entry, which its types do not describe. */
export async function* readBytes(entry: TarEntry): AsyncGenerator<Buffer> {
  for await (const chunk of entry) if (Buffer.isBuffer(chunk)) yield chunk;
}

function decompress(content: AsyncIterable<Buffer>, compression: Compression): AsyncIterable<Buffer> {
  if (compression === "plain") return content;
  if (compression === "zstd") return unzstd(content);
  const source = Readable.from(content);
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  return source.pipe(gunzip);
}

async function* unzstd(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const ready: Buffer[] = [];
  const unpacking = new Decompress((chunk) => void ready.push(Buffer.from(chunk)));
  for await (const chunk of content) {
    unpacking.push(chunk);
    yield* ready.splice(0);
  }
  unpacking.push(new Uint8Array(0), true);
  yield* ready.splice(0);
}

/** Archives for tests: layers, docker archives and OCI layouts, honest and hostile. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";

export interface Item {
  name: string;
  content?: string | Buffer;
  type?: "file" | "link" | "symlink" | "character-device" | "directory";
  linkname?: string;
}

export async function createTar(items: readonly Item[]): Promise<Buffer> {
  const pack = tar.pack();
  const mtime = new Date(0);
  // As /dev/null. Device 0, 0 would be the mark of a removed file.
  const device = { devmajor: 1, devminor: 3 };
  for (const { content = "", ...header } of items)
    pack.entry(
      { type: "file", mtime, ...(header.type === "character-device" && device), ...header },
      content,
    );
  pack.finalize();
  return buffer(Readable.from(pack));
}

export const toDigest = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const toHex = (bytes: Buffer) => toDigest(bytes).slice("sha256:".length);

export interface ImageParts {
  /** Decompressed layers, bottom first. */
  layers: Buffer[];
  /** The layers as stored; `layers` by default. */
  stored?: Buffer[];
  architecture?: string;
  /** In the index. */
  variant?: string;
  diffIds?: string[];
  /** The part of the configuration that engines run. */
  config?: object;
  /** What its builder did, step by step. */
  history?: object[];
}

export function createConfig({
  layers,
  architecture = "amd64",
  diffIds = layers.map(toDigest),
  config = {},
  history,
}: ImageParts): Buffer {
  const rootfs = { type: "layers", diff_ids: diffIds };
  return Buffer.from(JSON.stringify({ architecture, os: "linux", config, rootfs, history }));
}

export async function dockerArchive(parts: ImageParts, extra: Item[] = []): Promise<Buffer> {
  const config = createConfig(parts);
  const stored = parts.stored ?? parts.layers;
  const names = stored.map((_, at) => `${at}/layer.tar`);
  const manifest = JSON.stringify([
    { Config: `${toHex(config)}.json`, RepoTags: ["evil:latest"], Layers: names },
  ]);
  const layers = stored.map((content, at) => ({ name: names[at] ?? "", content }));
  return createTar([
    { name: `${toHex(config)}.json`, content: config },
    ...layers,
    { name: "manifest.json", content: manifest },
    ...extra,
  ]);
}

/** One image for each of `images`, below one index in `index.json`, as multi-platform builds write it. */
export async function ociArchive(images: ImageParts[], extra: Item[] = []): Promise<Buffer> {
  const blobs: Item[] = [];
  const put = (content: Buffer) => {
    const name = `blobs/sha256/${toHex(content)}`;
    if (!blobs.some((blob) => blob.name === name)) blobs.push({ name, content });
    return { digest: toDigest(content), size: content.length };
  };
  const manifests = images.map((parts) => {
    const stored = parts.stored ?? parts.layers.map((layer) => gzipSync(layer));
    const manifest = { schemaVersion: 2, config: put(createConfig(parts)), layers: stored.map(put) };
    const { architecture = "amd64", variant } = parts;
    const platform = { os: "linux", architecture, variant };
    return { ...put(Buffer.from(JSON.stringify(manifest))), platform };
  });
  const nested = put(Buffer.from(JSON.stringify({ schemaVersion: 2, manifests })));
  const index = JSON.stringify({ schemaVersion: 2, manifests: [nested] });
  return createTar([
    { name: "oci-layout", content: "{}" },
    { name: "index.json", content: index },
    ...blobs,
    ...extra,
  ]);
}

/** A zstd frame of raw blocks (RFC 8878): Node 20 cannot compress one. @param window exponent; 21 is 2 MiB */
export function toZstdFrame(bytes: Buffer, window = 21): Buffer {
  const blocks: Buffer[] = [];
  const size = 100_000;
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    blocks.push(zstdBlock(0, part.length, part, at + size >= bytes.length));
  }
  return Buffer.concat([zstdHeader(window), ...blocks]);
}

export function zstdHeader(window: number): Buffer {
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (window - 10) << 3]);
}

/** @param type 0 raw, 1 one repeated byte, 2 compressed */
export function zstdBlock(type: 0 | 1 | 2, size: number, content: Buffer, isLast: boolean): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([head, content]);
}

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
  for (const { content = "", ...header } of items) pack.entry({ type: "file", ...header }, content);
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
  diffIds?: string[];
}

export function createConfig({
  layers,
  architecture = "amd64",
  diffIds = layers.map(toDigest),
}: ImageParts): Buffer {
  return Buffer.from(
    JSON.stringify({ architecture, os: "linux", config: {}, rootfs: { type: "layers", diff_ids: diffIds } }),
  );
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
    blobs.push({ name: `blobs/sha256/${toHex(content)}`, content });
    return { digest: toDigest(content), size: content.length };
  };
  const manifests = images.map((parts) => {
    const stored = parts.stored ?? parts.layers.map((layer) => gzipSync(layer));
    const manifest = { schemaVersion: 2, config: put(createConfig(parts)), layers: stored.map(put) };
    const platform = { os: "linux", architecture: parts.architecture ?? "amd64" };
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

/** What an image consists of, as it is sent: blobs, and the OCI manifest that names them. */
import { createHash } from "node:crypto";
import type { Compression } from "@/lib/server/images/archive/decompress";

export interface Layer {
  /** Of the bytes as they are in the archive. */
  digest: string;
  bytes: number;
  compression: Compression;
  open(): AsyncIterable<Buffer>;
}

export interface ImageContent {
  config: Buffer;
  /** Bottom first. A layer may be repeated. */
  layers: readonly Layer[];
}

export type Blob = Pick<Layer, "digest" | "bytes" | "open">;

/** Each blob once, the layers first. */
export function listBlobs({ config, layers }: ImageContent): Blob[] {
  const blobs: Blob[] = [...layers, { ...describe(config), open: () => only(config) }];
  return [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
}

const LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar";
const LAYER_TYPES = { plain: LAYER_TYPE, gzip: `${LAYER_TYPE}+gzip`, zstd: `${LAYER_TYPE}+zstd` } as const;

export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

export function writeManifest({ config, layers }: ImageContent): string {
  const { digest, bytes: size } = describe(config);
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest, size },
    layers: layers.map((layer) => ({
      mediaType: LAYER_TYPES[layer.compression],
      digest: layer.digest,
      size: layer.bytes,
    })),
  });
}

/** Bytes as the one chunk of a content. */
export async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Engines identify the image by it. */
export function configDigest({ config }: ImageContent): string {
  return describe(config).digest;
}

function describe(content: Buffer): { digest: string; bytes: number } {
  return { digest: `sha256:${createHash("sha256").update(content).digest("hex")}`, bytes: content.length };
}

/** The OCI image manifest under which an image is stored. Its digest is the root of everything that is loaded later. */
import { z } from "zod";
import { digestText, parseDocument } from "./image";
import type { Compression } from "./formats/decompress";

const LAYER_TYPES = {
  plain: "application/vnd.oci.image.layer.v1.tar",
  gzip: "application/vnd.oci.image.layer.v1.tar+gzip",
  zstd: "application/vnd.oci.image.layer.v1.tar+zstd",
} as const satisfies Record<Compression, string>;

/** Of the unpacked layer, in bytes. The archive for an engine names it before the layer. */
const PLAIN_BYTES = "org.app-hosting-platform.plain-bytes";

const descriptor = z.object({ digest: digestText, size: z.number().int().nonnegative() });
const manifestShape = z.object({
  config: descriptor,
  layers: z.array(
    descriptor.extend({ mediaType: z.string(), annotations: z.record(z.string(), z.string()).optional() }),
  ),
});

export interface ManifestLayer {
  digest: string;
  /** As stored. */
  bytes: number;
  compression: Compression;
  plainBytes: number;
}

export interface ImageManifest {
  config: { digest: string; bytes: number };
  /** Bottom first. A layer may be repeated. */
  layers: ManifestLayer[];
}

/** The same image gives the same bytes. */
export function writeImageManifest({ config, layers }: ImageManifest): Buffer {
  const document = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: {
      mediaType: "application/vnd.oci.image.config.v1+json",
      digest: config.digest,
      size: config.bytes,
    },
    layers: layers.map(({ digest, bytes, compression, plainBytes }) => ({
      mediaType: LAYER_TYPES[compression],
      digest,
      size: bytes,
      annotations: { [PLAIN_BYTES]: String(plainBytes) },
    })),
  };
  return Buffer.from(JSON.stringify(document));
}

/** @param bytes what `writeImageManifest` wrote, verified by its digest */
export function readImageManifest(bytes: Buffer): ImageManifest {
  const { config, layers } = parseDocument(manifestShape, bytes, "manifest.json");
  return {
    config: { digest: config.digest, bytes: config.size },
    layers: layers.map(({ digest, size, mediaType, annotations }) => ({
      digest,
      bytes: size,
      compression: mediaType.endsWith("+gzip") ? "gzip" : mediaType.endsWith("+zstd") ? "zstd" : "plain",
      plainBytes: Number(annotations?.[PLAIN_BYTES] ?? size),
    })),
  };
}

import { z } from "zod";
import { parseJson, Problem } from "@/lib/contract/platform/problem";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import type { Compression } from "./decompress";
import { parseDocument } from "./parse-document";

/** A layer as it is stored. */
export interface LayerSource {
  /** In the archive, for messages. Two layers of the same name are the same. */
  name: string;
  bytes: number;
  /** Whether the store already has it, so that nothing has to keep its bytes. */
  isStored: boolean;
  /** A file in the upload's folder that contains it and nothing else, with the digest that was computed while it was written. */
  own?: { file: string; digest: string };
  open(): AsyncIterable<Buffer>;
}

export interface ImageLayer {
  source: LayerSource;
  /** Digest of the decompressed tar, from the image's configuration. */
  diffId: string;
  /** Digest of the stored bytes, if the layout has one. */
  blobDigest?: string;
}

export interface Image {
  config: Buffer;
  /** `sha256:…` of `config`. Most engines identify the image by it. */
  digest: string;
  /** Bottom first. */
  layers: ImageLayer[];
}

export const digestText = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Adds to each layer the digest that the configuration gives for it. */
export function pairLayers<Layer extends object>(
  layers: readonly Layer[],
  diffIds: readonly string[],
): (Layer & { diffId: string })[] {
  if (layers.length !== diffIds.length) {
    const message = `The image has ${layers.length} layers, but its configuration lists ${diffIds.length}.`;
    throw badBundle("WRONG_DIGEST", "", message);
  }
  return layers.map((layer, at) => ({ ...layer, diffId: diffIds[at] ?? "" }));
}

// An image that was sent blob by blob, or is in a registry.

export interface SentBlob {
  digest: string;
  bytes: number;
  /** Contains it. Not verified, unless it says so. */
  file: string;
  isStored: boolean;
  /** Whether the file is in the upload's folder, and its digest was computed while it was written. */
  isVerified?: boolean;
}

export interface SentImage {
  /** The OCI manifest, as it was sent. */
  manifest: string;
  /** Its configuration and layers. */
  blobs: SentBlob[];
}

/** What builders and registries call the manifest of one image. */
export const MANIFEST_TYPES: readonly string[] = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** What they call an index, which names an image for each platform. */
export const INDEX_TYPES: readonly string[] = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const descriptor = z.object({ digest: digestText, size: z.number().int().nonnegative() });
const sentManifestShape = z.object({ config: descriptor, layers: z.array(descriptor) });

export interface NamedBlob {
  digest: string;
  /** According to the manifest. */
  bytes: number;
}

export interface NamedImage {
  /** The OCI manifest, as it was sent. */
  manifest: string;
  /** Its configuration and layers, each once. */
  named: NamedBlob[];
  /** Of all of them. */
  bytes: number;
}

/** The blobs that an image consists of. Throws `BAD_BUNDLE`, `TOO_LARGE`. */
export function listBlobs(manifest: string): NamedImage {
  const value = parseJson(manifest);
  if (isRecord(value) && Array.isArray(value.manifests))
    throw badBundle(
      "SEVERAL_IMAGES",
      "",
      "This is an index, which lists several images.",
      "Send the manifest of the one for linux/amd64.",
    );
  const { config, layers } = parseDocument(sentManifestShape, Buffer.from(manifest), "the manifest", "oci");
  const sizes = new Map([config, ...layers].map(({ digest, size }) => [digest, size]));
  const named = [...sizes].map(([digest, bytes]) => ({ digest, bytes }));
  const bytes = named.reduce((sum, blob) => sum + blob.bytes, 0);
  if (bytes > BUNDLE_LIMITS.archiveBytes)
    throw new Problem(
      "TOO_LARGE",
      "The image is larger than 2 GiB. Build a smaller one, for example from a slim base image.",
    );
  if (named.length > BUNDLE_LIMITS.layers + 1) {
    const message = `The image has ${named.length - 1} layers; at most ${BUNDLE_LIMITS.layers} are allowed.`;
    throw badBundle("TOO_MANY_LAYERS", "", message);
  }
  return { manifest, named, bytes };
}

// The OCI image manifest under which an image is stored. Its digest is the root of everything that is loaded later.

const LAYER_TYPES = {
  plain: "application/vnd.oci.image.layer.v1.tar",
  gzip: "application/vnd.oci.image.layer.v1.tar+gzip",
  zstd: "application/vnd.oci.image.layer.v1.tar+zstd",
} as const satisfies Record<Compression, string>;

/** Of the unpacked layer, in bytes. The archive for an engine names it before the layer. */
const PLAIN_BYTES = "org.app-hosting-platform.plain-bytes";

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

interface ImageManifest {
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
  const { config, layers } = parseDocument(manifestShape, bytes, "manifest.json", "oci");
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

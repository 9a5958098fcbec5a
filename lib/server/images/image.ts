import { z } from "zod";
import { isShallow, parseJson } from "@/lib/contract/platform/problem";
import { badBundle } from "./bad-bundle";
import type { Compression } from "./decompress";

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

const configShape = z.looseObject({
  architecture: z.string(),
  os: z.string(),
  rootfs: z.looseObject({ diff_ids: z.array(digestText) }),
});

type ImageConfig = z.infer<typeof configShape>;

export function parseConfig(bytes: Buffer, path: string): ImageConfig {
  return parseDocument(configShape, bytes, path);
}

/** Parses one of the archive's JSON documents. */
export function parseDocument<Shape extends z.ZodType>(
  shape: Shape,
  bytes: Buffer,
  path: string,
): z.infer<Shape> {
  const value = parseJson(bytes.toString("utf8"));
  if (!isShallow(value)) throw badBundle("NOT_AN_IMAGE", path, `${path.slice(0, 120)} is nested too deeply.`);
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join(".").slice(0, 80) ?? "";
  const message = `${path.slice(0, 120)} is not valid in a container image${at === "" ? "" : ` (at ${at})`}.`;
  throw badBundle("NOT_AN_IMAGE", path, message);
}

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

/** Only linux/amd64 runs here (contract, section 8). */
export function requirePlatform(found: readonly string[]): void {
  if (found.includes("linux/amd64")) return;
  const names = [...new Set(found)].slice(0, 10).map((name) => name.slice(0, 40));
  const message = `The image is for ${names.join(", ") || "no platform"}, but apps run on linux/amd64.`;
  throw badBundle("WRONG_ARCHITECTURE", "", message);
}

// The OCI image manifest under which an image is stored. Its digest is the root of everything that is loaded later.

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

import { z } from "zod";
import { badBundle } from "./bad-bundle";
import type { TarEntry } from "./tar-scanner";

export interface ImageLayer {
  entry: TarEntry;
  /** Digest of the decompressed tar, from the image's configuration. */
  diffId: string;
  /** Digest of the bytes as stored, where the layout promises one. */
  blobDigest?: string;
}

export interface Image {
  config: Buffer;
  /** `sha256:…` of `config`: what the engine calls the image's id. */
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

export type ImageConfig = z.infer<typeof configShape>;

export function parseConfig(bytes: Buffer, path: string): ImageConfig {
  return parseDocument(configShape, bytes, path);
}

/** Parses one of the archive's JSON documents. */
export function parseDocument<Shape extends z.ZodType>(
  shape: Shape,
  bytes: Buffer,
  path: string,
): z.infer<Shape> {
  const parsed = shape.safeParse(parseJson(bytes));
  if (parsed.success) return parsed.data;
  const fault = parsed.error.issues[0];
  const where =
    fault === undefined || fault.path.length === 0 ? "" : ` (at ${fault.path.join(".").slice(0, 80)})`;
  throw badBundle(
    "NOT_AN_IMAGE",
    path,
    `${path.slice(0, 120)} is not what an image has there${where}.`,
    "Save the image again.",
  );
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Only linux/amd64 runs here (contract, section 8). */
export function requirePlatform(found: readonly string[]): void {
  if (found.includes("linux/amd64")) return;
  const names =
    [...new Set(found)]
      .map((name) => name.slice(0, 40))
      .slice(0, 10)
      .join(", ") || "none";
  const hint = "Build it with `docker build --platform linux/amd64`.";
  throw badBundle("WRONG_ARCHITECTURE", "", `The image is for ${names}; apps run on linux/amd64.`, hint);
}

import { z } from "zod";
import type { Problem } from "@/lib/contract/platform/problem";
import { isRecord } from "@/lib/domain/platform/json-text/json-value";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import { choosePlatform } from "./choose-platform";
import { type Descriptor, type DocumentSource, findImage, type FoundImage, indexShape } from "./find-image";
import { type Image, pairLayers } from "./image";
import { parseConfig, requireConfig } from "./image-config";
import {
  type ArchiveIndex,
  blobName,
  findEntry,
  hasEntry,
  type IndexedEntry,
  openLayer,
  readDocument,
  sha256,
} from "./index-archive";
import { parseDocument } from "./parse-document";

/**
 * The one image of an archive, or the one for the wanted platform. Newer engines write both layouts into one archive: `manifest.json`
 * then names one of the images of `index.json`.
 */
export async function readImage(index: ArchiveIndex, wanted?: string): Promise<Image> {
  const oci = index.entries.has("index.json") ? await readOciLayout(index, wanted) : undefined;
  const docker = index.entries.has("manifest.json")
    ? await readDockerLayout(index, oci === undefined ? wanted : undefined)
    : undefined;
  const image = oci?.image ?? docker;
  if (image === undefined) throw badBundle("NOT_AN_IMAGE", "", "The archive contains no container image.");
  const isListed = oci === undefined || docker === undefined || oci.configs.has(docker.digest);
  if (!isListed || (wanted === undefined && docker !== undefined && docker.digest !== image.digest)) {
    const message = "manifest.json and index.json refer to different images.";
    throw badBundle("INDEX_DISAGREES", "manifest.json", message);
  }
  if (image.layers.length > BUNDLE_LIMITS.layers) {
    const message = `The image has ${image.layers.length} layers; at most ${BUNDLE_LIMITS.layers} are allowed.`;
    throw badBundle("TOO_MANY_LAYERS", "", message);
  }
  return withoutVolumes(image);
}

const dockerManifestShape = z.array(z.looseObject({ Config: z.string(), Layers: z.array(z.string()) }));

/** The layout of `docker save`: `manifest.json` names the configuration and the layers. */
async function readDockerLayout(index: ArchiveIndex, wanted: string | undefined): Promise<Image> {
  const document = await readDocument(findEntry(index, "manifest.json"));
  const [image, ...others] = parseDocument(dockerManifestShape, document, "manifest.json", "archive");
  if (image === undefined || others.length > 0) {
    const count = image === undefined ? "no image" : `${others.length + 1} images`;
    throw badBundle("SEVERAL_IMAGES", "manifest.json", `The archive contains ${count}.`);
  }
  const config = await readDocument(findEntry(index, image.Config));
  const digest = sha256(config);
  const expected = /([0-9a-f]{64})(\.json)?$/.exec(image.Config)?.[1];
  if (expected !== undefined && `sha256:${expected}` !== digest) {
    const message = "The image's configuration doesn't match the digest in its name.";
    throw badBundle("WRONG_DIGEST", image.Config, message);
  }
  const { architecture, os, variant, rootfs } = parseConfig(config, image.Config);
  choosePlatform([{ digest, platform: { os, architecture, variant } }], wanted, { platforms: [] });
  requireConfig(config, image.Config);
  const layers = image.Layers.map((name) => ({ source: openLayer(findEntry(index, name)) }));
  return { config, digest, layers: pairLayers(layers, rootfs.diff_ids) };
}

// The OCI layout: `index.json` → (index →) manifest → configuration and layers, each named by its digest.

/** `configs`: digests of the configurations of all images that run here. */
async function readOciLayout(
  index: ArchiveIndex,
  wanted: string | undefined,
): Promise<{ image: Image; configs: ReadonlySet<string> }> {
  const document = await readDocument(findEntry(index, "index.json"));
  const { manifests } = parseDocument(indexShape, document, "index.json", "oci");
  const source: DocumentSource = {
    readManifest: async (at) =>
      hasEntry(index, blobName(at.digest)) ? await readBlob(index, at) : undefined,
    readConfig: (at) => readBlob(index, at),
    name: blobName,
    missing: (at, platform) => missingImage(at, platform),
  };
  const { image, others } = await findImage(manifests, source, { wanted, path: "index.json" });
  return {
    image: await readChosen(index, image),
    configs: new Set(others.map(({ config }) => config.digest)),
  };
}

function missingImage({ digest }: Descriptor, platform: string | undefined): Problem {
  const name = blobName(digest);
  if (platform === undefined)
    return badBundle("BLOB_MISSING", name, `The archive refers to ${name}, which it doesn't contain.`);
  return badBundle(
    "BLOB_MISSING",
    name,
    `The archive lists an image for ${platform.slice(0, 40)}, but doesn't contain it.`,
    `Engines save only what they have: pull or build the image with \`--platform ${platform.slice(0, 40)}\`, and save it again.`,
  );
}

async function readChosen(index: ArchiveIndex, { config, layers }: FoundImage): Promise<Image> {
  const bytes = await readBlob(index, config);
  const { rootfs } = parseConfig(bytes, blobName(config.digest));
  requireConfig(bytes, blobName(config.digest));
  const blobs = layers.map((layer) => ({
    source: openLayer(blobEntry(index, layer)),
    blobDigest: layer.digest,
  }));
  return { config: bytes, digest: config.digest, layers: pairLayers(blobs, rootfs.diff_ids) };
}

async function readBlob(index: ArchiveIndex, at: Descriptor): Promise<Buffer> {
  const bytes = await readDocument(blobEntry(index, at));
  if (sha256(bytes) === at.digest) return bytes;
  const name = blobName(at.digest);
  throw badBundle("WRONG_DIGEST", name, `${name} doesn't match its digest.`);
}

function blobEntry(index: ArchiveIndex, at: Descriptor): IndexedEntry {
  const entry = findEntry(index, blobName(at.digest));
  if (entry.size === at.size) return entry;
  const message = `${entry.name} has ${entry.size} bytes; its descriptor says ${at.size}.`;
  throw badBundle("WRONG_DIGEST", entry.name, message);
}

// An image's configuration as it is stored. Engines obey it, so what apps may not decide is removed.

/**
 * Without the image's volumes: an engine would mount an empty folder over the files at each of them, and it can't start a
 * container with a volume at `/` or `/proc`. The digest is the one of what is stored, so that what is moderated is what
 * runs; images without volumes keep the digest that their publisher knows.
 */
function withoutVolumes(image: Image): Image {
  const parsed: unknown = JSON.parse(image.config.toString("utf8"));
  if (!isRecord(parsed) || !HOLDERS.some((holder) => declaresVolumes(parsed[holder]))) return image;
  const kept = HOLDERS.filter((holder) => isRecord(parsed[holder])).map((holder) => {
    const { Volumes: _volumes, ...rest } = isRecord(parsed[holder]) ? parsed[holder] : {};
    return [holder, rest] as const;
  });
  const config = Buffer.from(JSON.stringify({ ...parsed, ...Object.fromEntries(kept) }));
  return { ...image, config, digest: sha256(config) };
}

/** The members of a configuration that say how its containers run. No other spelling of them gets here: see `parse-document.ts`. */
const HOLDERS = ["config", "container_config"] as const;

function declaresVolumes(member: unknown): boolean {
  return isRecord(member) && member.Volumes !== undefined && member.Volumes !== null;
}

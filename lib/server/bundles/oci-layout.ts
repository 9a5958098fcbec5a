/** The OCI layout: `index.json` → (index →) manifest → configuration and layers, each named by its digest. */
import { z } from "zod";
import {
  findEntry,
  openLayer,
  readDocument,
  sha256,
  type ArchiveIndex,
  type IndexedEntry,
} from "./archive-index";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import { digestText, pairLayers, parseConfig, parseDocument, requirePlatform, type Image } from "./image";

const descriptor = z.looseObject({
  digest: digestText,
  size: z.number().int().nonnegative(),
  platform: z.looseObject({ os: z.string(), architecture: z.string() }).optional(),
});
type Descriptor = z.infer<typeof descriptor>;

const indexShape = z.looseObject({ manifests: z.array(descriptor).max(200) });
const manifestShape = z.looseObject({ config: descriptor, layers: z.array(descriptor) });
const eitherShape = z.union([indexShape, manifestShape]);

/** index.json and one index below it; registries nest no deeper. */
const DEEPEST_INDEX = 3;

/** What the indexes of an archive lead to. */
interface Walk {
  index: ArchiveIndex;
  references: number;
  /** Digests of the documents that were read. Each is read once, however many indexes name it. */
  visited: Set<string>;
  found: Candidate[];
  platforms: string[];
}

interface Candidate extends z.infer<typeof manifestShape> {
  platform: string;
  digest: string;
}

export async function readOciLayout(index: ArchiveIndex): Promise<Image> {
  const root = parseDocument(indexShape, await readDocument(findEntry(index, "index.json")), "index.json");
  const walk: Walk = { index, references: 0, visited: new Set(), found: [], platforms: [] };
  for (const entry of root.manifests) await collect(walk, entry, 1);
  if (walk.found.length === 0 && walk.platforms.length === 0)
    throw badBundle("NOT_AN_IMAGE", "index.json", "The archive contains no image.");
  requirePlatform(walk.platforms);
  const fitting = walk.found.filter(({ platform }) => platform === "linux/amd64");
  const [chosen, ...others] = fitting;
  if (chosen === undefined || others.length > 0) {
    const message = `The archive contains ${fitting.length} images for linux/amd64.`;
    throw badBundle("SEVERAL_IMAGES", "index.json", message);
  }
  return readChosen(index, chosen);
}

async function collect(walk: Walk, at: Descriptor, depth: number): Promise<void> {
  const { index, visited, found, platforms } = walk;
  walk.references += 1;
  if (walk.references > BUNDLE_LIMITS.references) {
    const message = `The archive's indexes contain more than ${BUNDLE_LIMITS.references} references.`;
    throw badBundle("TOO_MANY_REFERENCES", blobName(at.digest), message);
  }
  // Attestations are listed as images for unknown/unknown. Blobs of other platforms may be missing.
  const declared = at.platform === undefined ? undefined : `${at.platform.os}/${at.platform.architecture}`;
  if (declared === "unknown/unknown") return;
  if (declared !== undefined) platforms.push(declared);
  if (declared !== undefined && declared !== "linux/amd64") return;
  if (visited.has(at.digest)) return;
  visited.add(at.digest);
  const document = parseDocument(eitherShape, await readBlob(index, at), blobName(at.digest));
  const nested = indexShape.safeParse(document);
  if (nested.success) {
    if (depth >= DEEPEST_INDEX)
      throw badBundle("NOT_AN_IMAGE", blobName(at.digest), "Image indexes are nested too deeply.");
    for (const entry of nested.data.manifests) await collect(walk, entry, depth + 1);
    return;
  }
  const manifest = parseDocument(manifestShape, await readBlob(index, at), blobName(at.digest));
  const config = parseConfig(await readBlob(index, manifest.config), blobName(manifest.config.digest));
  const platform = `${config.os}/${config.architecture}`;
  if (declared !== undefined && declared !== platform) {
    const message = `The index lists the image for ${declared}, but it is for ${platform.slice(0, 40)}.`;
    throw badBundle("INDEX_DISAGREES", blobName(at.digest), message);
  }
  platforms.push(platform);
  found.push({ ...manifest, digest: at.digest, platform });
}

async function readChosen(index: ArchiveIndex, { config, layers }: Candidate): Promise<Image> {
  const bytes = await readBlob(index, config);
  const { rootfs } = parseConfig(bytes, blobName(config.digest));
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

export function blobName(digest: string): string {
  return `blobs/sha256/${digest.slice("sha256:".length)}`;
}

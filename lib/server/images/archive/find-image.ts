/** Finds the one image that indexes lead to: the same walk for archives and registries, for the platform and the command line. */
import { z } from "zod";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import { choosePlatform, type ImagePlatform, isAttestation, namePlatform, runsHere } from "./choose-platform";
import { digestText } from "./image";
import { parseConfig } from "./image-config";
import { parseDocument } from "./parse-document";

const descriptor = z.looseObject({
  digest: digestText,
  size: z.number().int().nonnegative(),
  mediaType: z.string().optional(),
  platform: z
    .looseObject({ os: z.string(), architecture: z.string(), variant: z.string().optional() })
    .optional(),
  annotations: z.record(z.string(), z.string()).nullish(),
});
export type Descriptor = z.infer<typeof descriptor>;

export const indexShape = z.looseObject({ manifests: z.array(descriptor) });
const manifestShape = z.looseObject({
  config: descriptor,
  layers: z.array(descriptor),
  artifactType: z.string().optional(),
});
const eitherShape = z.union([indexShape, manifestShape]);

/** An archive's index.json, or what a registry's reference names, and indexes below it; nobody nests deeper. */
const DEEPEST_INDEX = 3;

/** Where documents come from. */
export interface DocumentSource {
  /** Verified by its digest. Undefined if it is not there. */
  readManifest: (at: Descriptor) => Promise<Buffer | undefined>;
  readConfig: (at: Descriptor) => Promise<Buffer>;
  /** For messages. */
  name: (digest: string) => string;
  /** @param platform that it is listed for, if it says so */
  missing: (at: Descriptor, platform: string | undefined) => Error;
}

export interface FoundImage extends z.infer<typeof manifestShape> {
  digest: string;
  /** The manifest, as it was read. */
  document: Buffer;
  platform: ImagePlatform;
}

/** What is listed for a platform that runs here, and isn't there. */
interface LostImage {
  digest: string;
  platform: ImagePlatform;
}

interface Walk {
  source: DocumentSource;
  references: number;
  /** Digests of the documents that were read. Each is read once, however many indexes name it. */
  visited: Set<string>;
  found: FoundImage[];
  lost: LostImage[];
  platforms: ImagePlatform[];
}

/**
 * `others`: every image that could have been chosen. What is listed and missing can't be: engines save the images of the platforms that
 * they have, below an index that lists them all.
 * @param path of the index, for messages
 */
export async function findImage(
  roots: readonly Descriptor[],
  source: DocumentSource,
  { wanted, path }: { wanted: string | undefined; path: string },
): Promise<{ image: FoundImage; others: readonly FoundImage[] }> {
  const walk: Walk = { source, references: 0, visited: new Set(), found: [], lost: [], platforms: [] };
  await collectAll(walk, roots, path, 1);
  const { found, lost, platforms } = walk;
  if (found.length === 0 && platforms.length === 0)
    throw badBundle("NOT_AN_IMAGE", path, `${path} leads to no image.`);
  const here = found.filter(({ platform }) => runsHere(platform));
  // Whoever names a platform means what is listed, there or not.
  const listed = wanted === undefined && here.length > 0 ? found : [...found, ...lost];
  const { digest, platform } = choosePlatform<Pick<FoundImage, "digest" | "platform">>(listed, wanted, {
    platforms,
    path,
  });
  const image = found.find((one) => one.digest === digest);
  if (image !== undefined) return { image, others: here };
  throw source.missing({ digest, size: 0 }, namePlatform(platform));
}

/** @param name of the index that lists them */
async function collectAll(walk: Walk, listed: readonly Descriptor[], name: string, depth: number) {
  // Counted before any of them is read.
  walk.references += listed.length;
  if (walk.references > BUNDLE_LIMITS.references) {
    const message = `The indexes contain more than ${BUNDLE_LIMITS.references} references.`;
    throw badBundle("TOO_MANY_REFERENCES", name, message);
  }
  for (const at of listed) await collect(walk, at, depth);
}

async function collect(walk: Walk, at: Descriptor, depth: number): Promise<void> {
  const { source, visited, found, lost, platforms } = walk;
  const name = source.name(at.digest);
  const { platform: declared } = at;
  if (isAttestation(at)) return;
  if (declared !== undefined) platforms.push(declared);
  // Images of other platforms may be missing.
  if (declared !== undefined && !runsHere(declared)) return;
  if (visited.has(at.digest)) {
    // Listed again, perhaps for another variant.
    const known = found.find(({ digest }) => digest === at.digest);
    if (known !== undefined && declared !== undefined) found.push({ ...known, platform: declared });
    return;
  }
  visited.add(at.digest);
  const document = await source.readManifest(at);
  if (document === undefined) {
    if (declared === undefined) throw source.missing(at, undefined);
    lost.push({ digest: at.digest, platform: declared });
    return;
  }
  const either = parseDocument(eitherShape, document, name, "oci");
  const nested = indexShape.safeParse(either);
  if (nested.success) {
    if (depth >= DEEPEST_INDEX) throw badBundle("NOT_AN_IMAGE", name, "Image indexes are nested too deeply.");
    await collectAll(walk, nested.data.manifests, name, depth + 1);
    return;
  }
  const manifest = parseDocument(manifestShape, document, name, "oci");
  // Such as a signature or a list of components, which is stored like an image.
  if (declared === undefined && !isImage(manifest)) return;
  const config = parseConfig(await source.readConfig(manifest.config), source.name(manifest.config.digest));
  const { os, architecture, variant } = config;
  if (declared !== undefined && (declared.os !== os || declared.architecture !== architecture)) {
    const own = namePlatform({ os, architecture }).slice(0, 40);
    const message = `The index lists the image for ${namePlatform(declared)}, but it is for ${own}.`;
    throw badBundle("INDEX_DISAGREES", name, message);
  }
  const platform = declared ?? { os, architecture, variant };
  platforms.push(platform);
  found.push({ ...manifest, digest: at.digest, document, platform });
}

const CONFIG_TYPES: readonly string[] = [
  "application/vnd.oci.image.config.v1+json",
  "application/vnd.docker.container.image.v1+json",
];

/** Older tools leave the types out. */
function isImage({ config, artifactType }: z.infer<typeof manifestShape>): boolean {
  return (
    artifactType === undefined && (config.mediaType === undefined || CONFIG_TYPES.includes(config.mediaType))
  );
}

import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import type Docker from "dockerode";
import tar from "tar-stream";
import { z } from "zod";
import { Problem } from "@/lib/contract/platform/problem";
import { StoreUnreachable } from "../../images/registry-client";
import { CLIENT_PREFIX, isStatus, isUnreachable } from "./docker-engine";
import { InstanceFailure, quoteMessage, type StartOrder } from "./runtime";

const imageConfig = z.object({ rootfs: z.object({ diff_ids: z.array(z.string()) }) });

export interface EngineImage {
  /** The engine's own id, used to run it. */
  id: string;
  layers: string[];
  /** Paths that the image declares as volumes. */
  volumes: string[];
  labels: Record<string, string>;
  /** Names that it has, such as `repository:tag`. */
  tags: string[];
  /** It sets HOME itself. */
  hasHome: boolean;
}

/** Image digest → engine's id, for images that this process loaded into an engine with other ids. */
export type LoadedImages = Map<string, string>;

/**
 * The engine's image for this order, loaded from the stored archive if the engine does not have it. The image is looked up
 * before every start and run by its id, never by a tag, so that what runs is what was moderated.
 *
 * Most engines identify an image by the digest of its configuration, which lists every layer, so the same id is the same
 * image bit for bit. An engine with the containerd image store (new installations of Docker 29) uses the digest of a
 * manifest instead. For it, the id is the one that the engine returned for the archive that this process loaded, and the
 * layers must match the moderated configuration. Layers say nothing about what an image executes, so the archive must be bit for
 * bit the one that was published.
 */
export async function ensureImage(
  docker: Docker,
  order: StartOrder,
  loaded: LoadedImages,
  own: Pick<OwnImages, "mark">,
): Promise<EngineImage> {
  const known = loaded.get(order.imageDigest) ?? order.imageDigest;
  const found = await findImage(docker, known);
  if (found !== undefined) return found;
  const report = await loadArchive(docker, order);
  const image = (await findImage(docker, order.imageDigest)) ?? (await findByReport(docker, order, report));
  if (image === undefined) throw wrongArchive(order, report);
  loaded.set(order.imageDigest, image.id);
  await own.mark(image.id, order.imageDigest);
  return image;
}

/** The image with this id or name. */
export async function findImage(docker: Docker, name: string): Promise<EngineImage | undefined> {
  try {
    const image = await docker.getImage(name).inspect();
    const declared: object = image.Config?.Volumes ?? {};
    if (name.startsWith("sha256:") && image.Id !== name) return undefined;
    return {
      id: image.Id,
      layers: image.RootFS?.Layers ?? [],
      volumes: Object.keys(declared),
      labels: image.Config?.Labels ?? {},
      tags: image.RepoTags ?? [],
      hasHome: (image.Config?.Env ?? []).some((variable) => /^HOME=./.test(variable)),
    };
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

async function findByReport(docker: Docker, order: StartOrder, report: string) {
  const id = /Loaded image ID: (sha256:[0-9a-f]{64})/.exec(report)?.[1];
  const image = id && (await findImage(docker, id));
  const layers = await readArchivedLayers(await order.openArchive(), order.imageDigest);
  if (!image || layers === undefined || layers.length === 0) return undefined;
  return image.layers.join() === layers.join() ? image : undefined;
}

/** The layers in the image's configuration. Undefined if the archive has no such configuration. */
export async function readArchivedLayers(
  archive: Readable,
  imageDigest: string,
): Promise<string[] | undefined> {
  const fileName = `${imageDigest.slice("sha256:".length)}.json`;
  const entries = archive.pipe(tar.extract());
  archive.once("error", (error) => entries.destroy(error));
  try {
    for await (const entry of entries) {
      if (entry.header.name !== fileName) {
        entry.resume();
        continue;
      }
      const bytes = await buffer(entry);
      if (`sha256:${createHash("sha256").update(bytes).digest("hex")}` !== imageDigest) return undefined;
      return imageConfig.parse(JSON.parse(bytes.toString("utf8"))).rootfs.diff_ids;
    }
    return undefined;
  } finally {
    archive.destroy();
  }
}

/** Returns the engine's report: one JSON object per line. A failure is one more object in it. */
async function loadArchive(docker: Docker, order: StartOrder): Promise<string> {
  const archive = await order.openArchive().catch((error: unknown) => {
    throw toMissingImage(error);
  });
  // The engine's client doesn't notice that an archive fails.
  const damaged = new Promise<never>((_resolve, reject) => archive.once("error", reject));
  try {
    const answer = await Promise.race([docker.loadImage(archive, { quiet: true }), damaged]);
    const report = await text(answer);
    const refusal = REPORTED_ERROR.exec(report)?.[1];
    if (refusal === undefined) return report;
    throw new Error(JSON.parse(refusal));
  } catch (error) {
    if (archive.errored !== null) throw toMissingImage(archive.errored);
    if (isUnreachable(error)) throw error;
    throw toLoadFailure(error instanceof Error ? error.message : String(error));
  } finally {
    archive.destroy();
  }
}

/** Docker answers 200 before it has read the archive. */
const REPORTED_ERROR = /"error":\s*("(?:[^"\\]|\\.)*")/;

/** What engines say of the archive's content, and of a machine that can't store it. */
const ABOUT_CONTENT = /\b(tar|layers?|manifest|diffid|unmarshal|unexpected EOF|image format)\b/i;
const ABOUT_MACHINE =
  /no space left|quota|read-only|input\/output|too many open files|cannot allocate|permi(tted|ssion)|context (canceled|deadline)/i;

/** What an engine refuses for its content, it refuses each time, and the number is taken. */
function toLoadFailure(message: string): InstanceFailure {
  const cause = quoteMessage(message.replace(CLIENT_PREFIX, ""));
  return ABOUT_CONTENT.test(cause) && !ABOUT_MACHINE.test(cause)
    ? new InstanceFailure(
        "IMAGE_REFUSED",
        `The container engine refused the app's image: ${cause}. Build it again, and publish it as a higher version.`,
      )
    : new InstanceFailure(
        "ENGINE_FAILED",
        `The container engine could not load the app's image: ${cause}. If the engine has enough disk space, the image is damaged: build it again, and publish it as a higher version.`,
      );
}

/** An archive that can't be opened, or that isn't what was published. */
function toMissingImage(error: unknown): unknown {
  if (error instanceof StoreUnreachable) return new InstanceFailure("STORE_UNREACHABLE", error.detail);
  return error instanceof Problem ? new InstanceFailure("IMAGE_MISSING", error.detail) : error;
}

function wrongArchive(order: StartOrder, report: string): InstanceFailure {
  return new InstanceFailure(
    "IMAGE_MISSING",
    `The container engine did not load the image ${order.imageDigest} from the published archive. It reported: ${quoteMessage(report)}. ` +
      "Build the image again, and publish it as a higher version.",
  );
}

// Which images of an engine this platform put there, and when it last used them. Both are in the engine: our tag says the
// first, and setting it again renews its time, which says the second. An image that somebody else loaded never gets our tag,
// and one that others tagged as well stays when our tag is removed.

/** Images that were built from the folders of example apps. Platforms on one engine share them. */
export const EXAMPLE_REPOSITORY = "platform-demo";
const PUBLISHED_REPOSITORY = "platform-apps";

/** Engines allow no colon in a tag. Tags may be shortened. */
export const toTag = (imageDigest: string) => imageDigest.replace(":", "-");
const DIGEST_TAG = /:(sha256-[0-9a-f]{16,64})$/;

/** Small, so that one pass doesn't keep the engine busy. */
const MOST_AT_ONCE = 20;

const listed = z.array(z.object({ RepoTags: z.array(z.string()).nullish() }));
const inspected = z.object({ Metadata: z.object({ LastTagTime: z.string().optional() }).optional() });

interface OwnImages {
  /** Marks an image that this platform has just loaded. */
  mark(id: string, imageDigest: string): Promise<void>;
  /** Notes that an image is about to be used, if it is ours. */
  noteUse(image: { id: string; tags: readonly string[] }): Promise<void>;
  /**
   * Removes the images that are ours, were not used since, and have none of these digests. The engine keeps those of
   * containers. Returns how many were removed.
   */
  removeUnused(wanted: ReadonlySet<string>, unusedSince: Date): Promise<number>;
}

/** @param owner identifies the platform on the engine */
export function ownImages(docker: Docker, owner: string, examples = EXAMPLE_REPOSITORY): OwnImages {
  const published = `${PUBLISHED_REPOSITORY}/${owner}`;
  const isOurs = (name: string) => name.startsWith(`${published}:`) || name.startsWith(`${examples}/`);

  async function setTag(id: string, name: string): Promise<void> {
    const colon = name.lastIndexOf(":");
    await docker.getImage(id).tag({ repo: name.slice(0, colon), tag: name.slice(colon + 1) });
  }

  async function listNames(): Promise<string[]> {
    const reference = [published, `${examples}/*`];
    const images = listed.parse(await docker.listImages({ filters: { reference } }));
    return images.flatMap(({ RepoTags }) => RepoTags ?? []).filter(isOurs);
  }

  async function isUnusedSince(name: string, since: Date): Promise<boolean> {
    const { Metadata } = inspected.parse(await docker.getImage(name).inspect());
    // If the engine doesn't report it, only the database decides.
    return Metadata?.LastTagTime === undefined || new Date(Metadata.LastTagTime) < since;
  }

  async function removeIfUnused(name: string, since: Date): Promise<boolean> {
    try {
      if (!(await isUnusedSince(name, since))) return false;
      await docker.getImage(name).remove();
      return true;
    } catch (error) {
      // 404: it is gone. 409: a container uses it.
      if (!isStatus(error, 404, 409)) throw error;
      return false;
    }
  }

  return {
    mark: (id, imageDigest) => setTag(id, `${published}:${toTag(imageDigest)}`),
    noteUse: async ({ id, tags }) => {
      for (const name of tags.filter(isOurs)) await setTag(id, name);
    },
    removeUnused: async (wanted, unusedSince) => {
      const isWanted = (tag: string) => [...wanted].some((digest) => toTag(digest).startsWith(tag));
      let removed = 0;
      for (const name of await listNames()) {
        const tag = DIGEST_TAG.exec(name)?.[1];
        if (tag === undefined || isWanted(tag)) continue;
        if (await removeIfUnused(name, unusedSince)) removed += 1;
        if (removed === MOST_AT_ONCE) break;
      }
      return removed;
    },
  };
}

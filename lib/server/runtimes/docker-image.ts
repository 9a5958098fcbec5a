import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import type Docker from "dockerode";
import { Problem } from "@/lib/contract/problem";
import { layersInArchive } from "./archive-config";
import { isStatus, isUnreachable } from "./docker-error";
import type { StartOrder } from "./runtime";

export interface EngineImage {
  /** The engine's own id, by which it is run. */
  id: string;
  layers: string[];
  /** Paths that the image declares as volumes. */
  volumes: string[];
}

/** Image digest → engine's id, of what this process has loaded itself into an engine that names images otherwise. */
export type LoadedImages = Map<string, string>;

/**
 * The engine's image for this order, loaded from the stored archive when the engine has none. It is looked up before
 * every start and run by its id, never by a tag: what runs is what was moderated.
 *
 * Most engines name an image by the digest of its configuration, which names every layer: the same id is the same
 * image, bit for bit. An engine with the containerd image store (new installations of Docker 29) names it by the
 * digest of a manifest instead. There the id is the one that the engine gave for the archive that we loaded, in this
 * process and not before, and its layers must be those of the configuration that was moderated.
 */
export async function ensureImage(
  docker: Docker,
  order: StartOrder,
  loaded: LoadedImages,
): Promise<EngineImage> {
  const known = loaded.get(order.imageDigest) ?? order.imageDigest;
  const found = await findImage(docker, known);
  if (found !== undefined) return found;
  const report = await loadArchive(docker, order);
  const image =
    (await findImage(docker, order.imageDigest)) ?? (await findOtherwiseNamed(docker, order, report));
  if (image === undefined) throw notInArchive(order, report);
  loaded.set(order.imageDigest, image.id);
  return image;
}

async function findImage(docker: Docker, id: string): Promise<EngineImage | undefined> {
  try {
    const image = await docker.getImage(id).inspect();
    const declared: object = image.Config?.Volumes ?? {};
    if (image.Id !== id) return undefined;
    return { id, layers: image.RootFS?.Layers ?? [], volumes: Object.keys(declared) };
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

async function findOtherwiseNamed(docker: Docker, order: StartOrder, report: string) {
  const id = /Loaded image ID: (sha256:[0-9a-f]{64})/.exec(report)?.[1];
  const image = id && (await findImage(docker, id));
  const layers = await layersInArchive(order.archivePath, order.imageDigest);
  if (!image || layers === undefined || layers.length === 0) return undefined;
  return image.layers.join() === layers.join() ? image : undefined;
}

/** The engine's report: one JSON object a line, in which a failure is one more object. */
async function loadArchive(docker: Docker, order: StartOrder): Promise<string> {
  const archive = createReadStream(order.archivePath);
  // Without a listener, a file that cannot be opened would end the process before the engine reads it.
  const unreadable = new Promise<never>((_resolve, reject) => archive.once("error", reject));
  try {
    const answer = await Promise.race([docker.loadImage(archive, { quiet: true }), unreadable]);
    return await text(answer);
  } catch (error) {
    if (isUnreachable(error) && !archive.errored) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new Problem(
      "UNAVAILABLE",
      `The container engine could not load the app's image: ${cause}. Publish the version again.`,
    );
  }
}

function notInArchive(order: StartOrder, report: string): Problem {
  const said = report.replaceAll(/\s+/g, " ").slice(0, 300);
  return new Problem(
    "UNAVAILABLE",
    `The container engine did not make the image ${order.imageDigest} of the archive that was published (it said: ${said}). ` +
      "Publish the version again.",
  );
}

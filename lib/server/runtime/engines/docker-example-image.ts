import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import Docker from "dockerode";
import tar, { type Pack } from "tar-stream";
import { digestFolder, findExampleFolder } from "../../catalog/publish/example-folder";
import { type EngineImage, EXAMPLE_REPOSITORY, findImage, toTag } from "./docker-image";
import { InstanceFailure, type StartOrder } from "./runtime";

const run = promisify(execFile);
const BASE_REPOSITORY = "app-hosting-platform/node";
/** The digest of the folder that an image was built from: a name can be given to any image. */
const FOLDER_LABEL = "platform.folder";
const TAG_LENGTH = "sha256-".length + 16;

/**
 * The image of the version that was created from an example's folder, built if the engine does not have it. The folder must
 * still be what was published.
 */
export async function ensureExampleImage(
  docker: Docker,
  examplesFolder: string,
  { appName, imageDigest }: Pick<StartOrder, "appName" | "imageDigest">,
): Promise<EngineImage> {
  const folder = findExampleFolder(examplesFolder, appName);
  const name = `${EXAMPLE_REPOSITORY}/${appName}:${toTag(imageDigest).slice(0, TAG_LENGTH)}`;
  const present = await findImage(docker, name);
  if (present?.labels[FOLDER_LABEL] === imageDigest) return present;
  const { digest } = await digestFolder(folder);
  if (digest !== imageDigest) {
    throw new InstanceFailure(
      "IMAGE_MISSING",
      `The files in ${path.basename(examplesFolder)}/${path.basename(folder)} changed since they were published. Publish them again.`,
    );
  }
  await buildImage(docker, folder, name, { [FOLDER_LABEL]: digest });
  const built = await findImage(docker, name);
  if (built === undefined) throw new Error(`the engine built ${name} and does not have it`);
  return built;
}

/** Builds an example app from its Dockerfile. Returns an archive as `docker save` writes it. */
export async function buildExampleImage(root: string, app: string): Promise<NodeJS.ReadableStream> {
  const docker = new Docker();
  const name = `${EXAMPLE_REPOSITORY}/${app}:latest`;
  await buildImage(docker, path.join(root, "examples", app), name);
  return docker.getImage(name).get();
}

/** Builds a folder's Dockerfile, which takes its base image as the argument `BASE`. */
export async function buildImage(
  docker: Docker,
  folder: string,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  const base = await ensureBaseImage(docker);
  // Version 1 is the classic builder, the only one of engines without BuildKit.
  const options = {
    t: name,
    labels,
    version: "1" as const,
    ...(base === undefined ? { platform: "linux/amd64" } : { buildargs: { BASE: base } }),
  };
  await finish(docker, await docker.buildImage(await packFolder(folder), options));
}

async function packFolder(folder: string): Promise<NodeJS.ReadableStream> {
  const pack = tar.pack();
  for (const name of await readdir(folder))
    pack.entry({ name, mode: 0o644 }, await readFile(path.join(folder, name)));
  pack.finalize();
  return Readable.from(pack);
}

/**
 * A base image with this machine's Node and its libraries, for engines that cannot pull one. Returns its name, or
 * undefined if this machine's Node is not built for linux/amd64.
 */
export async function ensureBaseImage(docker: Docker): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const tag = process.versions.node;
  const name = `${BASE_REPOSITORY}:${tag}`;
  const present = await docker
    .getImage(name)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  if (present) return name;
  const pack = tar.pack();
  const filled = packNode(pack).catch((error: Error) => pack.destroy(error));
  const progress = await docker.importImage(Readable.from(pack), { repo: BASE_REPOSITORY, tag });
  await Promise.all([filled, finish(docker, progress)]);
  return name;
}

async function packNode(pack: Pack): Promise<void> {
  for (const name of ["app/", "tmp/", "etc/"])
    pack.entry({ name, type: "directory", mode: name === "tmp/" ? 0o1777 : 0o755 });
  pack.entry({ name: "etc/passwd" }, "root:x:0:0::/:\nnobody:x:65532:65532::/:\n");
  const add = async (source: string, name: string) =>
    pack.entry({ name, mode: 0o755 }, await readFile(source));
  await add(process.execPath, "usr/local/bin/node");
  const { stdout } = await run("ldd", [process.execPath]);
  for (const [, library = ""] of stdout.matchAll(/(\/\S+) \(0x/g)) await add(library, library.slice(1));
  pack.finalize();
}

/** Resolves when the engine is done. Its last message may be an error although the request succeeded. */
function finish(docker: Docker, progress: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(progress, (error: Error | null, output: { error?: string }[]) => {
      const failure = error ?? output.find((line) => line.error !== undefined)?.error;
      if (failure === undefined) resolve();
      else reject(failure instanceof Error ? failure : new Error(failure));
    });
  });
}

import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import Docker from "dockerode";
import tar from "tar-stream";
import { baseImageOfHost, finished } from "./base-image";

/** An archive as `docker save` writes it. */
export type ImageOf = (app: string) => Promise<NodeJS.ReadableStream>;

/** Builds the example apps from their Dockerfiles with the engine of this machine. */
export function openExampleImages(root: string): ImageOf {
  const docker = new Docker();
  return async (app) => {
    const name = `platform-demo/${app}:latest`;
    await buildImage(docker, path.join(root, "examples", app), name);
    return docker.getImage(name).get();
  };
}

/** Builds a folder's Dockerfile, which takes its base image as the argument `BASE`. */
export async function buildImage(docker: Docker, folder: string, name: string): Promise<void> {
  const base = await baseImageOfHost(docker);
  // Version 1 is the classic builder: engines without BuildKit have no other.
  const options = {
    t: name,
    version: "1" as const,
    ...(base === undefined ? { platform: "linux/amd64" } : { buildargs: { BASE: base } }),
  };
  await finished(docker, await docker.buildImage(await contextOf(folder), options));
}

async function contextOf(folder: string): Promise<NodeJS.ReadableStream> {
  const pack = tar.pack();
  for (const name of await readdir(folder))
    pack.entry({ name, mode: 0o644 }, await readFile(path.join(folder, name)));
  pack.finalize();
  return Readable.from(pack);
}

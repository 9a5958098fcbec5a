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
  let hostNode: Promise<string | undefined> | undefined;
  return async (app) => {
    const base = await (hostNode ??= baseImageOfHost(docker));
    const name = `platform-demo/${app}:latest`;
    const folder = path.join(root, "examples", app);
    // Version 1 is the classic builder: engines without BuildKit have no other.
    const options = {
      t: name,
      version: "1" as const,
      ...(base === undefined ? { platform: "linux/amd64" } : { buildargs: { BASE: base } }),
    };
    await finished(docker, await docker.buildImage(await contextOf(folder), options));
    return docker.getImage(name).get();
  };
}

async function contextOf(folder: string): Promise<NodeJS.ReadableStream> {
  const pack = tar.pack();
  for (const name of await readdir(folder))
    pack.entry({ name, mode: 0o644 }, await readFile(path.join(folder, name)));
  pack.finalize();
  return Readable.from(pack);
}

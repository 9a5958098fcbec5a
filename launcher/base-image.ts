/** A base image from this machine's own Node, for engines that can pull none: the binary and the libraries it names. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import type Docker from "dockerode";
import tar, { type Pack } from "tar-stream";

const run = promisify(execFile);
const REPOSITORY = "app-hosting-platform/node";

/** The image's name; undefined where this machine's Node is not one for linux/amd64. */
export async function baseImageOfHost(docker: Docker): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const name = `${REPOSITORY}:${process.versions.node}`;
  const present = await docker
    .getImage(name)
    .inspect()
    .then(
      () => true,
      () => false,
    );
  if (present) return name;
  const pack = tar.pack();
  const filled = fill(pack).catch((error: Error) => pack.destroy(error));
  const progress = await docker.importImage(Readable.from(pack), {
    repo: REPOSITORY,
    tag: process.versions.node,
  });
  await Promise.all([filled, finished(docker, progress)]);
  return name;
}

async function fill(pack: Pack): Promise<void> {
  for (const name of ["app/", "tmp/", "etc/"])
    pack.entry({ name, type: "directory", mode: name === "tmp/" ? 0o1777 : 0o755 });
  pack.entry({ name: "etc/passwd" }, "root:x:0:0::/:\nnobody:x:65532:65532::/:\n");
  await add(pack, process.execPath, "usr/local/bin/node");
  const { stdout } = await run("ldd", [process.execPath]);
  for (const [, library = ""] of stdout.matchAll(/(\/\S+) \(0x/g)) await add(pack, library, library.slice(1));
  pack.finalize();
}

async function add(pack: Pack, source: string, name: string): Promise<void> {
  pack.entry({ name, mode: 0o755 }, await readFile(source));
}

/** Resolves when the engine is done; its last word may be an error though the request succeeded. */
export function finished(docker: Docker, progress: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    docker.modem.followProgress(progress, (error: Error | null, output: { error?: string }[]) => {
      const fault = error ?? output.find((line) => line.error !== undefined)?.error;
      if (fault === undefined) resolve();
      else reject(fault instanceof Error ? fault : new Error(fault));
    });
  });
}

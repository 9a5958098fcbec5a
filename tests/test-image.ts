/** For tests: an archive as `docker save` writes it, created without an engine or a base image. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { openFile } from "@/lib/server/images/open-archive";

/** Fixed, so that the same script creates the same image. */
const MODIFIED_AT = new Date("2026-01-01T00:00:00Z");
const BUSYBOX = ["/bin/busybox", "/usr/bin/busybox"];

/** A static busybox, or undefined if there is none (Debian: `busybox-static`). */
export async function findBusybox(): Promise<string | undefined> {
  for (const file of BUSYBOX) {
    const found = await access(file).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}

/**
 * Writes an image that runs `script` in busybox's shell; `/www/health` is in it for busybox's web server.
 * It also declares a user, a volume, variables, a health check and labels, which the platform must ignore.
 * @returns the image id
 */
export async function writeImage(
  archivePath: string,
  busybox: string,
  script: string,
  volumes: readonly string[] = ["/data"],
  manifest = "{}",
  workingFolder = "/",
): Promise<string> {
  const layer = await createLayer(await readFile(busybox), manifest);
  const config = JSON.stringify({
    architecture: "amd64",
    os: "linux",
    created: "2026-01-01T00:00:00Z",
    config: {
      User: "root",
      Env: ["PLATFORM_PORT=1", "PLATFORM_STATE_API=http://evil.example", "FROM_IMAGE=1"],
      Entrypoint: ["/bin/busybox", "sh", "-c", script],
      Volumes: Object.fromEntries(volumes.map((path) => [path, {}])),
      Labels: { "platform.instance-of": "somebody-else", "platform.version": "another" },
      Healthcheck: { Test: ["CMD", "/bin/busybox", "false"], Interval: 1_000_000_000 },
      WorkingDir: workingFolder,
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${sha256(layer)}`] },
    history: [{ created: "2026-01-01T00:00:00Z" }],
  });
  const id = sha256(Buffer.from(config));
  const pack = tar.pack();
  pack.entry({ name: `${id}.json` }, config);
  pack.entry({ name: "layer.tar" }, layer);
  pack.entry(
    { name: "manifest.json" },
    JSON.stringify([{ Config: `${id}.json`, RepoTags: null, Layers: ["layer.tar"] }]),
  );
  pack.finalize();
  await pipeline(pack, createWriteStream(archivePath));
  return `sha256:${id}`;
}

async function createLayer(busybox: Buffer, manifest: string): Promise<Buffer> {
  const pack = tar.pack();
  for (const name of ["bin/", "www/", "tmp/"])
    pack.entry({ name, type: "directory", mode: 0o755, mtime: MODIFIED_AT });
  pack.entry({ name: "bin/busybox", mode: 0o755, mtime: MODIFIED_AT }, busybox);
  pack.entry({ name: "www/health", mode: 0o644, mtime: MODIFIED_AT }, "ok");
  pack.entry({ name: MANIFEST_FILE, mode: 0o644, mtime: MODIFIED_AT }, manifest);
  pack.finalize();
  return buffer(pack);
}

/** Opens the archive as long as it is the same. */
export async function archiveOpener(file: string): Promise<() => Promise<Readable>> {
  const digest = await digestFile(file);
  return () => openFile(file, digest);
}

export async function digestFile(file: string): Promise<string> {
  return `sha256:${sha256(await readFile(file))}`;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** For tests: an archive as `docker save` writes it, made without an engine and without any base image. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";

/** Fixed, so that the same script makes the same image. */
const LONG_AGO = new Date("2026-01-01T00:00:00Z");
const BUSYBOX = ["/bin/busybox", "/usr/bin/busybox"];

/** A static busybox, or undefined where there is none (Debian: `busybox-static`). */
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
 * It also declares all that must not bind the platform: a user, a volume, variables, a health check, labels.
 * @returns the image id
 */
export async function writeImage(archivePath: string, busybox: string, script: string): Promise<string> {
  const layer = await layerOf(await readFile(busybox));
  const config = JSON.stringify({
    architecture: "amd64",
    os: "linux",
    created: "2026-01-01T00:00:00Z",
    config: {
      User: "root",
      Env: ["PLATFORM_PORT=1", "PLATFORM_STATE_API=http://evil.example", "FROM_IMAGE=1"],
      Entrypoint: ["/bin/busybox", "sh", "-c", script],
      Volumes: { "/data": {} },
      Labels: { "platform.instance-of": "somebody-else", "platform.version": "another" },
      Healthcheck: { Test: ["CMD", "/bin/busybox", "false"], Interval: 1_000_000_000 },
      WorkingDir: "/",
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

async function layerOf(busybox: Buffer): Promise<Buffer> {
  const pack = tar.pack();
  for (const name of ["bin/", "www/", "tmp/"])
    pack.entry({ name, type: "directory", mode: 0o755, mtime: LONG_AGO });
  pack.entry({ name: "bin/busybox", mode: 0o755, mtime: LONG_AGO }, busybox);
  pack.entry({ name: "www/health", mode: 0o644, mtime: LONG_AGO }, "ok");
  pack.finalize();
  return buffer(pack);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

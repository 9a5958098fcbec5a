/** Archives on disk: `<bundles>/<sha256>.tar`, and a folder of its own for each upload until it is one. */
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Problem } from "@/lib/contract/problem";
import type { Environment } from "../platform/environment";

function bundleFolder(environment: Environment): string {
  return path.join(/* turbopackIgnore: true */ environment.dataDir, "bundles");
}

const INCOMING = "incoming-";
/** No upload takes longer; a folder older than this was left by a process that was killed. */
const LEFT_OVER_MS = 6 * 3_600_000;

/** Where the archive with this digest (`sha256:<hex>`) is, if it is. */
export function archivePath(environment: Environment, archiveDigest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(archiveDigest)?.[1];
  if (hex === undefined) throw new Error("not an archive digest");
  return path.join(bundleFolder(environment), `${hex}.tar`);
}

/** Gives `work` an empty folder on the store's disk, which is gone afterwards whatever happens. */
export async function withIncomingFolder<T>(
  environment: Environment,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const store = bundleFolder(environment);
  await mkdir(store, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(store, INCOMING));
  try {
    return await work(folder);
  } catch (error) {
    throw isFull(error)
      ? new Problem("STORAGE_FULL", "The platform's disk is full. Try again later, or tell its operator.")
      : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Moves a finished archive to its place: from here on it is found by its digest. */
export async function keepArchive(
  environment: Environment,
  file: string,
  archiveDigest: string,
): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
  await rename(file, archivePath(environment, archiveDigest));
}

/** Removes what uploads left behind that a killed process could not end. Call it at the gateway's start. */
export async function removeLeftovers(environment: Environment, now = Date.now()): Promise<void> {
  const store = bundleFolder(environment);
  await mkdir(store, { recursive: true, mode: 0o700 });
  for (const name of await readdir(store)) {
    const folder = path.join(store, name);
    if (!name.startsWith(INCOMING) || now - (await stat(folder)).mtimeMs < LEFT_OVER_MS) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

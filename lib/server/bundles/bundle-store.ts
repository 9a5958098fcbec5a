/** Archives on disk: `<bundles>/<sha256>.tar`. Each upload has a folder of its own until it is stored. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { Problem } from "@/lib/contract/problem";
import type { Environment } from "../platform/environment";
import { readStartTime } from "../runtimes/process-identity";

const INCOMING = "incoming-";
const MACHINE = hash(hostname());
/** No upload takes longer. An older folder of another machine belongs to a process that was killed. */
const LEFTOVER_MS = 3_600_000;

function bundleFolder(environment: Environment): string {
  return path.join(/* turbopackIgnore: true */ environment.dataDir, "bundles");
}

/** Where the archive with this digest (`sha256:<hex>`) is stored. */
export function archivePath(environment: Environment, archiveDigest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(archiveDigest)?.[1];
  if (hex === undefined) throw new Error("not an archive digest");
  return path.join(bundleFolder(environment), `${hex}.tar`);
}

/** An empty folder on the store's disk, named after this process. Whoever creates one removes it. */
export async function createIncomingFolder(environment: Environment): Promise<string> {
  const store = bundleFolder(environment);
  await mkdir(store, { recursive: true, mode: 0o700 });
  const owner = `${MACHINE}-${process.pid}-${hash((await readStartTime(process.pid)) ?? "")}`;
  return mkdtemp(path.join(store, `${INCOMING}${owner}-`));
}

export async function removeIncomingFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Moves a finished archive into the store, where its digest finds it. */
export async function keepArchive(
  environment: Environment,
  file: string,
  archiveDigest: string,
): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
  await rename(file, archivePath(environment, archiveDigest));
}

/** Removes the folders of uploads whose process was killed. Call it when the gateway starts. */
export async function removeLeftovers(environment: Environment, now = Date.now()): Promise<void> {
  const store = bundleFolder(environment);
  await mkdir(store, { recursive: true, mode: 0o700 });
  for (const name of await readdir(store)) {
    if (!name.startsWith(INCOMING)) continue;
    const folder = path.join(store, name);
    const [, machine, pid, startTime] = name.split("-");
    const isLeft =
      machine === MACHINE
        ? hash((await readStartTime(Number(pid))) ?? "") !== startTime
        : now - (await stat(folder)).mtimeMs > LEFTOVER_MS;
    if (isLeft) await removeIncomingFolder(folder);
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** A full disk as `STORAGE_FULL`; any other error as it is. */
export function toStorageProblem(error: unknown): unknown {
  const isFull =
    error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
  if (!isFull) return error;
  return new Problem(
    "STORAGE_FULL",
    "The platform's disk is full. Try again later, or contact its operator.",
  );
}

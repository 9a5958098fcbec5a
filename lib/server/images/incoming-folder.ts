/** Folders on the disk of the blob store for what is still being received or checked. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { Problem } from "@/lib/contract/platform/problem";
import type { Environment } from "../platform/environment";
import { readStartTime } from "../platform/machine";

const INCOMING = "incoming-";
const MACHINE = hash(hostname());
/** No upload takes longer. An older folder of another machine belongs to a process that was killed. */
const LEFTOVER_MS = 3_600_000;

export function bundleFolder(environment: Environment): string {
  return path.join(/* turbopackIgnore: true */ environment.dataDir, "bundles");
}

/** An empty folder on the store's disk, named after this process. The caller removes it. */
export async function createIncomingFolder(environment: Environment): Promise<string> {
  const store = bundleFolder(environment);
  await mkdir(store, { recursive: true, mode: 0o700 });
  return createOwnedFolder(store, INCOMING);
}

/** An empty folder whose name says which process works in it, so that others can tell when it is left over. */
export async function createOwnedFolder(parent: string, prefix: string): Promise<string> {
  const owner = `${MACHINE}-${process.pid}-${hash((await readStartTime(process.pid)) ?? "")}`;
  return mkdtemp(path.join(parent, `${prefix}${owner}-`));
}

/** Whether the process that created the folder has ended. Undefined if it is one of another machine. */
export async function isLeftOver(name: string, prefix: string): Promise<boolean | undefined> {
  const [machine, pid, startTime] = name.slice(prefix.length).split("-");
  if (machine !== MACHINE) return undefined;
  return hash((await readStartTime(Number(pid))) ?? "") !== startTime;
}

export async function removeIncomingFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes the folders of uploads whose process was killed. Call it when the gateway starts. */
export async function removeLeftovers(environment: Environment, now = Date.now()): Promise<void> {
  const store = bundleFolder(environment);
  await mkdir(store, { recursive: true, mode: 0o700 });
  for (const name of await readdir(store)) {
    if (!name.startsWith(INCOMING)) continue;
    const folder = path.join(store, name);
    const isLeft = (await isLeftOver(name, INCOMING)) ?? now - (await stat(folder)).mtimeMs > LEFTOVER_MS;
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

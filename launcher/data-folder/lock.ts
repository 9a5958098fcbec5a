import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { readStartTime } from "@/lib/server/platform/machine";
import { StartError } from "./secrets";

const owner = z.object({ pid: z.number().int().positive(), started: z.string() });

/** Longer than any owner, so that a file that is kept needs no more space for the next one. */
const OWNER_BYTES = 200;

/**
 * Locks the data folder for this process. Throws StartError while another launcher runs on it. Returns the release. The file of the last
 * lock is kept and used again: a platform that stopped on a full disk can start on it.
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  await createFolder(dataDir);
  const file = path.join(dataDir, "launcher.json");
  const free = `${file}.free`;
  const mine = `${file}.${process.pid}.${randomUUID()}`;
  try {
    for (let tries = 0; tries < 10; tries += 1) {
      await freeIfStale(file, free, dataDir);
      await writeOwner(free, mine);
      // Creating a link is atomic and never overwrites, so two simultaneous launches cannot both succeed.
      if (await link(mine, file).then(() => true, existsAlready)) return () => release(file, free);
    }
  } finally {
    await rm(mine, { force: true });
  }
  throw new StartError(
    `The lock file ${file} cannot be created. Delete it if no other launcher runs on this folder.`,
  );
}

/** As `mkdir` with `recursive`, which never ends where a folder takes no others, such as /proc. Throws StartError if a path can't be a folder. */
async function createFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error && found.code === "ENOENT") {
    await createFolder(path.dirname(folder));
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      // Another launch may have been faster.
      if (error.code === "EEXIST") return;
      if (error.code !== "ENOENT") throw error;
      throw new StartError(
        `${folder} can't be created: no folders can be created there. Choose another folder with PLATFORM_DATA_DIR.`,
      );
    });
  } else if (found instanceof Error ? found.code === "ENOTDIR" : !found.isDirectory())
    throw new StartError(
      `${folder} can't be a folder: it, or a part of its path, is a file. Choose another folder with PLATFORM_DATA_DIR.`,
    );
}

/** Whoever starts next takes over a lock that can't be released. */
async function release(file: string, free: string): Promise<void> {
  await rename(file, free).catch(() => undefined);
}

/** Writes who we are: in the place of the last owner, whose file only one launch gets, or into a new file. */
async function writeOwner(free: string, mine: string): Promise<void> {
  const started = (await readStartTime(process.pid)) ?? "unknown";
  const text = JSON.stringify({ pid: process.pid, started }).padEnd(OWNER_BYTES);
  const isKept = await rename(free, mine).then(
    () => true,
    () => false,
  );
  if (!isKept) return writeFile(mine, text);
  const kept = await open(mine, "r+");
  try {
    await kept.write(text, 0);
    await kept.truncate(Buffer.byteLength(text));
  } finally {
    await kept.close();
  }
}

async function freeIfStale(file: string, free: string, dataDir: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const other = owner.safeParse(parseJson(text));
  if (other.success && (await readStartTime(other.data.pid)) === other.data.started) {
    throw new StartError(
      `The platform is already running on ${dataDir} (process ${other.data.pid}).\n` +
        `Stop it first (Ctrl-C in its terminal, or \`kill ${other.data.pid}\`), or choose another folder with PLATFORM_DATA_DIR.`,
    );
  }
  // Not freed at once: if another launch was faster, this is its new lock and must be put back.
  const aside = `${file}.${process.pid}.${randomUUID()}`;
  const renamed = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!renamed) return;
  if ((await readFile(aside, "utf8")) === text) return rename(aside, free);
  await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function existsAlready(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}

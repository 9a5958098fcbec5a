import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { readStartTime } from "@/lib/server/platform/machine";
import { StartError } from "./secrets";

const owner = z.object({ pid: z.number().int().positive(), started: z.string() });

/** Locks the data folder for this process. Throws StartError while another launcher runs on it. Returns the release. */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, "launcher.json");
  const mine = `${file}.${process.pid}`;
  const started = (await readStartTime(process.pid)) ?? "unknown";
  try {
    await writeFile(mine, JSON.stringify({ pid: process.pid, started }));
    for (let tries = 0; tries < 10; tries += 1) {
      // Creating a link is atomic and never overwrites, so two simultaneous launches cannot both succeed.
      if (await link(mine, file).then(() => true, existsAlready)) return () => rm(file, { force: true });
      await clearIfStale(file, dataDir);
    }
  } finally {
    await rm(mine, { force: true });
  }
  throw new StartError(
    `The lock file ${file} cannot be created. Delete it if no other launcher runs on this folder.`,
  );
}

async function clearIfStale(file: string, dataDir: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const other = owner.safeParse(parseJson(text));
  if (other.success && (await readStartTime(other.data.pid)) === other.data.started) {
    throw new StartError(
      `The platform is already running on ${dataDir} (process ${other.data.pid}).\n` +
        `Stop it first (Ctrl-C in its terminal, or \`kill ${other.data.pid}\`), or choose another folder with PLATFORM_DATA_DIR.`,
    );
  }
  // Renamed rather than deleted: if another launch was faster, this is its new lock and must be put back.
  const aside = `${file}.${process.pid}.stale`;
  const renamed = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!renamed) return;
  if ((await readFile(aside, "utf8")) !== text) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function existsAlready(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}

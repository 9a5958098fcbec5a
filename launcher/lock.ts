import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { startOfProcess } from "./process-identity";
import { Refusal } from "./refusal";

const holder = z.object({ pid: z.number().int().positive(), started: z.string() });

/** Takes the data folder for this process; refuses while another launcher lives on it. Returns the release. */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, "launcher.json");
  const mine = `${file}.${process.pid}`;
  const started = (await startOfProcess(process.pid)) ?? "unknown";
  await writeFile(mine, JSON.stringify({ pid: process.pid, started }));
  try {
    for (let tries = 0; tries < 10; tries += 1) {
      // A link is made whole or not at all, and never over another: two launches at once cannot both have it.
      if (await link(mine, file).then(() => true, existsAlready)) return () => rm(file, { force: true });
      await clearIfStale(file, dataDir);
    }
  } finally {
    await rm(mine, { force: true });
  }
  throw new Refusal(`${file} cannot be taken. Remove it if no other launcher runs on this folder.`);
}

async function clearIfStale(file: string, dataDir: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const other = holder.safeParse(parse(text));
  if (other.success && (await startOfProcess(other.data.pid)) === other.data.started) {
    throw new Refusal(
      `The platform is already running on ${dataDir}, as process ${other.data.pid}.\n` +
        `Stop that one first (Ctrl-C in its terminal, or \`kill ${other.data.pid}\`), or choose another folder with PLATFORM_DATA_DIR.`,
    );
  }
  // Moved aside rather than removed: if another launch was faster, what we hold is its lock, and goes back.
  const aside = `${file}.${process.pid}.stale`;
  if (
    !(await rename(file, aside).then(
      () => true,
      () => false,
    ))
  )
    return;
  if ((await readFile(aside, "utf8")) !== text) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function existsAlready(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false;
  throw error;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

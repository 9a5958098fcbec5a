/** What is known of a child process beyond the life of the worker that started it: a small file for each. */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);

const processRecord = z.object({
  pid: z.number().int().positive(),
  /** A process id comes round again; with its start time it is one process. */
  startedAt: z.string(),
  workerPid: z.number().int().positive(),
  workerStartedAt: z.string(),
  versionId: z.string(),
  origin: z.string(),
});
export type ProcessRecord = z.infer<typeof processRecord>;

export function handleOf(record: { pid: number; startedAt: string }): string {
  return `${record.pid}-${record.startedAt}`;
}

export async function writeRecord(folder: string, record: ProcessRecord): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(folder, handleOf(record)), JSON.stringify(record), { mode: 0o600 });
}

export async function removeRecord(folder: string, handle: string): Promise<void> {
  await rm(fileOf(folder, handle), { force: true });
}

/** Undefined when there is none, or when it was cut while it was written. */
export async function readRecord(folder: string, handle: string): Promise<ProcessRecord | undefined> {
  try {
    return processRecord.parse(JSON.parse(await readFile(fileOf(folder, handle), "utf8")));
  } catch {
    return undefined;
  }
}

export async function readRecords(folder: string): Promise<ProcessRecord[]> {
  const names = await readdir(folder).catch(() => []);
  const handles = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length));
  const records = await Promise.all(handles.map((handle) => readRecord(folder, handle)));
  return records.filter((record) => record !== undefined);
}

function fileOf(folder: string, handle: string): string {
  return path.join(folder, `${handle}.json`);
}

/** When the process started, in the system's own words without spaces; undefined when it does not run. */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // After the name in parentheses, which may hold anything: state is the 1st field, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return startByPs(pid);
  }
}

async function startByPs(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return undefined;
  try {
    const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim().replaceAll(/[^A-Za-z0-9]+/g, "_") || undefined;
  } catch {
    return undefined;
  }
}

export async function isAlive(pid: number, startedAt: string): Promise<boolean> {
  return (await startOf(pid)) === startedAt;
}

/**
 * Runs an example app from its folder with this machine's Node, where no container engine answers.
 * Nothing isolates it: it serves demonstrations and development, and refuses in production.
 */
import { access } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/problem";
import { cleanLog } from "./clean-log";
import { freePort } from "./free-port";
import { signalGroup, spawnChild, type Child } from "./process-child";
import {
  handleOf,
  isAlive,
  readRecord,
  readRecords,
  removeRecord,
  startOf,
  writeRecord,
  type ProcessRecord,
} from "./process-record";
import type { Inspection, Runtime, StartOrder, Started } from "./runtime";

const CLOSE_GRACE_SECONDS = 3;

export interface ProcessOptions {
  dataDir: string;
  /** The folder that holds a folder for each example app. */
  examplesFolder: string;
  production: boolean;
}

export function processRuntime(options: ProcessOptions): Runtime {
  const records = path.join(options.dataDir, "processes");
  const children = new Map<string, Child>();

  async function start(order: StartOrder): Promise<Started> {
    if (options.production) {
      throw new Problem(
        "UNAVAILABLE",
        "Processes isolate nothing, so they do not run in production. Start a container engine.",
      );
    }
    const script = await scriptOf(options.examplesFolder, order.appName);
    await clear(order.versionId);
    const port = await freePort();
    const child = spawnChild(script, {
      PLATFORM_PORT: String(port),
      // What nothing isolates shall at least not be open to the network.
      HOST: "127.0.0.1",
      PLATFORM_STATE_API: order.environment.PLATFORM_STATE_API,
    });
    const record = await recordOf(child.pid, order.versionId, `http://127.0.0.1:${port}`);
    const handle = handleOf(record);
    children.set(handle, child);
    await writeRecord(records, record);
    return { handle, origin: record.origin };
  }

  async function clear(versionId: string): Promise<void> {
    const found = (await readRecords(records)).filter((record) => record.versionId === versionId);
    for (const record of found) await stop(handleOf(record), CLOSE_GRACE_SECONDS);
  }

  async function stop(handle: string, graceSeconds: number): Promise<void> {
    const record = await readRecord(records, handle);
    if (record !== undefined) {
      if (await isAlive(record.pid, record.startedAt)) signalGroup(record.pid, "SIGTERM");
      await ended(record, graceSeconds);
      // The group is signalled even when its leader is gone: what the app had spawned ends with it.
      if (children.has(handle) || (await isAlive(record.pid, record.startedAt)))
        signalGroup(record.pid, "SIGKILL");
      await ended(record, 1);
    }
    children.delete(handle);
    await removeRecord(records, handle);
  }

  async function inspect(handle: string): Promise<Inspection> {
    const exit = children.get(handle)?.exit;
    if (exit !== undefined) return { running: false, reason: exit };
    const record = await readRecord(records, handle);
    if (record === undefined || !(await isAlive(record.pid, record.startedAt))) {
      return { running: false, reason: "is gone: its process ended" };
    }
    // Its pipes are broken and it is about to end: nobody can adopt it.
    if (!(await isAlive(record.workerPid, record.workerStartedAt))) {
      return { running: false, reason: "ended with the worker that had started it" };
    }
    return { running: true, origin: record.origin };
  }

  return {
    name: "process",
    isolates: false,
    start,
    stop,
    inspect,
    logTail: async (handle, bytes) => cleanLog(children.get(handle)?.log ?? "", bytes),
    list: async () =>
      (await readRecords(records)).map((record) => ({
        handle: handleOf(record),
        versionId: record.versionId,
      })),
    close: async () => {
      const mine = [...children.keys()];
      await Promise.all(mine.map((handle) => stop(handle, CLOSE_GRACE_SECONDS)));
      return mine;
    },
  };
}

async function scriptOf(examplesFolder: string, appName: string): Promise<string> {
  const script = path.join(examplesFolder, path.basename(appName), "server.mjs");
  try {
    await access(script);
    return script;
  } catch {
    throw new Problem(
      "UNAVAILABLE",
      `Without a container engine, only the example apps can run, and there is no example named "${appName}". Start Docker, then launch again.`,
    );
  }
}

async function recordOf(pid: number | undefined, versionId: string, origin: string): Promise<ProcessRecord> {
  const workerStartedAt = await startOf(process.pid);
  const startedAt = pid === undefined ? undefined : ((await startOf(pid)) ?? "ended");
  if (pid === undefined || startedAt === undefined || workerStartedAt === undefined) {
    throw new Problem(
      "UNAVAILABLE",
      "This machine could not start one more process. Free some memory, then launch again.",
    );
  }
  return { pid, startedAt, workerPid: process.pid, workerStartedAt, versionId, origin };
}

async function ended(record: ProcessRecord, seconds: number): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until && (await isAlive(record.pid, record.startedAt))) await sleep(50);
}

/**
 * Runs an example app from its folder with this machine's Node, for demos and development without a container engine.
 * Nothing isolates the app, so production refuses it.
 */
import { access } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findExampleFolder } from "../../catalog/publish/example-folder";
import { freePort, readProcessUsage, readStartTime } from "../../platform/machine";
import {
  type Child,
  followOutput,
  type ProcessRecord,
  readOutput,
  readRecord,
  readRecords,
  removeRecord,
  signalGroup,
  spawnChild,
  toHandle,
  writeRecord,
} from "./process-child";
import {
  cleanLog,
  type Inspection,
  InstanceFailure,
  type Runtime,
  type Started,
  type StartOrder,
  type Stopped,
} from "./runtime";

const CLOSE_GRACE_SECONDS = 3;

export interface ProcessOptions {
  dataDir: string;
  /** Contains a folder for each example app. */
  examplesFolder: string;
  production: boolean;
}

export function processRuntime(options: ProcessOptions): Runtime {
  const records = path.join(options.dataDir, "processes");
  const children = new Map<string, Child>();
  const watchers = new Set<(handle: string) => void>();

  async function start(order: StartOrder): Promise<Started> {
    if (options.production) {
      throw new InstanceFailure(
        "RUNTIME_NOT_AVAILABLE",
        "Processes are not isolated, so they do not run in production. Start a container engine.",
      );
    }
    const script = await findScript(options.examplesFolder, order.appName);
    await clear(order);
    const port = await freePort();
    const child = spawnChild(script, {
      PLATFORM_PORT: String(port),
      // Nothing isolates it, but at least it is not open to the network.
      HOST: "127.0.0.1",
      PLATFORM_STATE_API: order.environment.PLATFORM_STATE_API,
    });
    const record = await createRecord(child.pid, order, `http://127.0.0.1:${port}`);
    const handle = toHandle(record);
    children.set(handle, child);
    void child.ended.then(() => {
      if (child.stopping !== true) for (const report of watchers) report(handle);
    });
    await writeRecord(records, record);
    return { handle, origin: record.origin, node: hostname() };
  }

  async function clear({ versionId, replica }: StartOrder): Promise<void> {
    const found = (await readRecords(records)).filter(
      (record) => record.versionId === versionId && record.replica === replica,
    );
    for (const record of found) await stop(toHandle(record), CLOSE_GRACE_SECONDS);
  }

  async function stop(handle: string, graceSeconds: number): Promise<Stopped> {
    const child = children.get(handle);
    if (child !== undefined) child.stopping = true;
    const record = await readRecord(records, handle);
    let stopped: Stopped = "ended";
    if (record !== undefined) {
      if (await isRunning(record)) signalGroup(record.pid, "SIGTERM");
      await waitForExit(record, graceSeconds);
      if (await isRunning(record)) stopped = "killed";
      // Signal the group even if its leader is gone, so that everything the app spawned ends.
      if (child !== undefined || (await isRunning(record))) signalGroup(record.pid, "SIGKILL");
      await waitForExit(record, 1);
    }
    children.delete(handle);
    await removeRecord(records, handle);
    return stopped;
  }

  async function inspect(handle: string): Promise<Inspection> {
    const exit = children.get(handle)?.exit;
    if (exit !== undefined) return { running: false, ...exit };
    const record = await readRecord(records, handle);
    if (record === undefined || !(await isRunning(record))) {
      return { running: false, code: "REMOVED", reason: "is gone: its process ended", exitCode: null };
    }
    // Its pipes are broken, so it is about to end and cannot be adopted.
    if ((await readStartTime(record.workerPid)) !== record.workerStartedAt) {
      const reason = "ended with the worker that started it";
      return { running: false, code: "WORKER_ENDED", reason, exitCode: null };
    }
    return { running: true, origin: record.origin };
  }

  return {
    name: "process",
    isolates: false,
    start,
    stop,
    inspect,
    logTail: async (handle, bytes, since, until) => {
      const child = children.get(handle);
      if (child?.exit !== undefined) await child.ended;
      return cleanLog(child === undefined ? "" : readOutput(child, since, until), bytes);
    },
    followLog: async function* (handle, options) {
      const child = children.get(handle);
      if (child !== undefined) yield* followOutput(child, options);
    },
    usage: async (handle) => {
      const record = await readRecord(records, handle);
      return record !== undefined && (await isRunning(record)) ? readProcessUsage(record.pid) : undefined;
    },
    watchChanges: (report) => {
      watchers.add(report);
      return { connected: Promise.resolve(), stop: () => void watchers.delete(report) };
    },
    list: async () =>
      (await readRecords(records)).map((record) => ({
        handle: toHandle(record),
        versionId: record.versionId,
      })),
    close: async () => {
      const handles = [...children.keys()];
      await Promise.all(handles.map((handle) => stop(handle, CLOSE_GRACE_SECONDS)));
      return handles;
    },
  };
}

async function findScript(examplesFolder: string, appName: string): Promise<string> {
  const script = path.join(findExampleFolder(examplesFolder, appName), "server.mjs");
  try {
    await access(script);
    return script;
  } catch {
    throw new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      `Without a container engine, only the example apps can run, and "${appName}" is not one of them. Start Docker, then launch again.`,
    );
  }
}

async function createRecord(
  pid: number | undefined,
  { versionId, replica }: StartOrder,
  origin: string,
): Promise<ProcessRecord> {
  const workerStartedAt = await readStartTime(process.pid);
  const startedAt = pid === undefined ? undefined : ((await readStartTime(pid)) ?? "ended");
  if (pid === undefined || startedAt === undefined || workerStartedAt === undefined) {
    throw new InstanceFailure(
      "ENGINE_FAILED",
      "This machine could not start another process. Free some memory, then launch again.",
    );
  }
  return { pid, startedAt, workerPid: process.pid, workerStartedAt, versionId, replica, origin };
}

async function waitForExit(record: ProcessRecord, seconds: number): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until && (await isRunning(record))) await sleep(50);
}

async function isRunning({ pid, startedAt }: ProcessRecord): Promise<boolean> {
  return (await readStartTime(pid)) === startedAt;
}

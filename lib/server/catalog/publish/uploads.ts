/** The uploads that this process is receiving or checking. Each has a folder of its own until it ends. */
import { Worker } from "node:worker_threads";
import { Problem } from "@/lib/contract/platform/problem";
import { badBundle } from "../../images/archive/bad-bundle";
import { createIncomingFolder, removeIncomingFolder } from "../../images/incoming-folder";
import type { Environment } from "../../platform/environment";
import { type Clock, createShare, isRefusal, SYSTEM_CLOCK } from "../../platform/requests/share";
import type { InspectedUpload, InspectionOrder, InspectionReport } from "./inspect-upload-thread";

export interface Upload {
  organizationId: string;
  /** Nothing that it published was verified yet. */
  isNewcomer: boolean;
  folder: string;
  /** Aborted when the sender is gone or the process ends. */
  signal: AbortSignal;
  /** Removes the folder. */
  end: () => Promise<void>;
}

/** Something that the end of the process aborts and waits for. */
interface Tracked {
  signal: AbortSignal;
  end: () => void;
}

interface Active {
  controller: AbortController;
  ended: Promise<void>;
}

const active = new Set<Active>();

/** For what writes no files of its own. The caller must end it. */
export function trackUpload(sender: AbortSignal): Tracked {
  const controller = new AbortController();
  let leave = () => {};
  const entry = { controller, ended: new Promise<void>((resolve) => (leave = resolve)) };
  active.add(entry);
  const end = () => {
    active.delete(entry);
    leave();
  };
  return { signal: AbortSignal.any([sender, controller.signal]), end };
}

/** The caller must end it. */
export async function beginUpload(
  environment: Environment,
  { organizationId, isNewcomer = false }: { organizationId: string; isNewcomer?: boolean },
  sender: AbortSignal = new AbortController().signal,
): Promise<Upload> {
  const tracked = trackUpload(sender);
  let folder = "";
  const end = async () => {
    if (folder !== "") await removeIncomingFolder(folder);
    tracked.end();
  };
  try {
    folder = await createIncomingFolder(environment);
    prepareThread(isNewcomer);
  } catch (error) {
    await end();
    throw error;
  }
  return { organizationId, isNewcomer, folder, signal: tracked.signal, end };
}

/** Refuses what is still being received or checked, and resolves when nothing of it is left on the disk. */
export async function abortUploads(): Promise<void> {
  const restarting = new Problem("UNAVAILABLE", "The platform is restarting. Publish again in a moment.");
  const uploads = [...active];
  for (const { controller } of uploads) controller.abort(restarting);
  await Promise.all(uploads.map(({ ended }) => ended));
}

// Checks an upload in a thread of its own. No matter what an archive makes the checks do, other requests are answered, and
// the thread is ended when its time is over, its memory is used up, or the sender is gone.

/** For the smallest archive. */
const LEAST_MS = 6_000;
/** Honest archives are checked at 40 MiB/s and more. */
const BYTES_PER_MS = (4 * 1024 * 1024) / 1000;

const QUEUES = { queue: 256, queuePerKey: 32, longestWaitMs: 1_800_000 };

/** One upload of each organization is checked at a time, so that none can keep the others waiting. */
const checks = createShare({ total: 2, perKey: 1, ...QUEUES });

/**
 * Anybody can sign up, as often as they like. So organizations of which nothing was verified yet take turns at one place of `checks`, in
 * which they count as one: however many there are, the other place is free for those that are known.
 */
const newcomers = createShare({ total: 1, perKey: 1, ...QUEUES });
const NEWCOMERS = "newcomers";

/** A place to check an upload. Throws TOO_MANY_REQUESTS. */
async function enterChecks({ organizationId, isNewcomer, signal }: Upload): Promise<() => void> {
  const first = isNewcomer ? await newcomers.enter(organizationId, signal) : undefined;
  const turn =
    first !== undefined && isRefusal(first)
      ? first
      : await checks.enter(isNewcomer ? NEWCOMERS : organizationId, signal);
  const leaveFirst = () => {
    if (first !== undefined && !isRefusal(first)) first.leave();
  };
  if (!isRefusal(turn))
    return () => {
      turn.leave();
      leaveFirst();
    };
  leaveFirst();
  signal.throwIfAborted();
  const detail = "Too many images are waiting to be checked. Publish again in a few minutes.";
  throw new Problem("TOO_MANY_REQUESTS", detail, [], turn.retryAfterSeconds);
}

/** @param bytes the upload's size, which decides how long the checks may take */
export async function inspectUpload(
  upload: Upload,
  bytes: number,
  expected: Omit<InspectionOrder, "folder">,
  clock: Clock = SYSTEM_CLOCK,
): Promise<InspectedUpload> {
  const { folder } = upload;
  const leave = await enterChecks(upload);
  try {
    const limit = { ms: LEAST_MS + bytes / BYTES_PER_MS, clock };
    const report = await runThread({ folder, ...expected }, limit, upload);
    if ("inspected" in report) return report.inspected;
    const { code, detail, issues } = report.refused;
    throw new Problem(code, detail, issues);
  } finally {
    leave();
  }
}

interface Limit {
  ms: number;
  clock: Clock;
}

async function runThread(
  order: InspectionOrder,
  limit: Limit,
  { isNewcomer, signal }: Upload,
): Promise<InspectionReport> {
  const { thread, isReady } = openThread(isNewcomer);
  try {
    // Loading the code is not the archive's fault, so it has no limit.
    if (!isReady) await nextMessage(thread, signal);
    const answer = nextMessage<InspectionReport>(thread, signal, limit);
    thread.postMessage(order);
    const report = await answer;
    if ("refused" in report && report.isSpent) await thread.terminate();
    else await keepThread(thread, isNewcomer);
    return report;
  } catch (error) {
    // Before the upload's folder is removed, because the thread may still be writing into it.
    await thread.terminate();
    throw error;
  }
}

async function nextMessage<Message>(thread: Worker, signal: AbortSignal, limit?: Limit): Promise<Message> {
  let end = () => {};
  try {
    return await new Promise<Message>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      const fail = (error: Error) => reject(toRefusal(error));
      const cancel = limit?.clock.after(limit.ms, () => reject(tooSlow(limit.ms)));
      end = () => {
        cancel?.();
        signal.removeEventListener("abort", stop);
        thread.off("message", resolve).off("error", fail);
      };
      signal.addEventListener("abort", stop);
      thread.once("message", resolve).once("error", fail);
      if (signal.aborted) stop();
    });
  } finally {
    end();
  }
}

function tooSlow(limitMs: number): Problem {
  const message = `Checking the archive took longer than ${Math.round(limitMs / 1000)} seconds, the limit for its size.`;
  return badBundle("TOO_EXPENSIVE", "", message);
}

function toRefusal(error: Error): Error {
  if (!("code" in error) || error.code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  return badBundle("TOO_EXPENSIVE", "", "Checking the archive takes too much memory.");
}

// The threads that check uploads. Loading the code takes longer than checking most images, so one is kept for the next.

/** JavaScript values. Buffers are outside of it; what is read into them is bounded by `BUNDLE_LIMITS`. */
const HEAP = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8 };

/** An idle thread's memory is given back after this time. */
const KEPT_MS = 30_000;

const IS_SOURCE = import.meta.url.endsWith(".ts");
/** In `.build`, the thread's bundle is beside this one (`launcher/build.mjs`). */
const CODE = new URL(IS_SOURCE ? "./inspect-upload-thread.ts" : "./inspect-upload.js", import.meta.url).href;

/** Tests run the sources, and a thread doesn't inherit what lets its process do so. */
const LOAD_TSX = 'import("tsx/esm/api").then((tsx) => tsx.register())';

/**
 * Somebody waits for each state read and call, so they get three times the processor time of a check, even while the thread
 * loads its code. More than that would refuse honest images on a busy machine. Systems other than Linux would slow down the
 * whole process.
 */
const START = `
  if (process.platform === "linux") require("node:os").setPriority(5);
  ${IS_SOURCE ? LOAD_TSX : "Promise.resolve()"}.then(() => import("${CODE}"));
`;

interface IdleThread {
  thread: Worker;
  /** It has loaded its code. Its first message says so. */
  isReady: boolean;
  /** Ends it. */
  timer: NodeJS.Timeout;
}

/** One for newcomers and one for the others, so that refused archives of newcomers leave the others' thread alone. */
const idle = new Map<boolean, IdleThread>();

/** Loads the code while the upload arrives. */
function prepareThread(isNewcomer: boolean): void {
  if (idle.has(isNewcomer)) return;
  const thread = startThread(isNewcomer);
  const kept = keepIdle(thread, isNewcomer, false);
  thread.once("message", () => (kept.isReady = true));
}

/** The caller ends or keeps it. */
function openThread(isNewcomer: boolean): { thread: Worker; isReady: boolean } {
  const kept = idle.get(isNewcomer);
  if (kept === undefined) return { thread: startThread(isNewcomer), isReady: false };
  clearTimeout(kept.timer);
  idle.delete(isNewcomer);
  kept.thread.ref();
  return kept;
}

function startThread(isNewcomer: boolean): Worker {
  const thread = new Worker(START, {
    eval: true,
    resourceLimits: HEAP,
    // What the process preloads is for its main thread, and code that reads hostile input needs no secrets.
    execArgv: [],
    env: {},
  });
  // One that fails while it is idle fails no upload.
  const forget = () => void (idle.get(isNewcomer)?.thread === thread && idle.delete(isNewcomer));
  return thread.on("error", forget).on("exit", forget);
}

/** For a thread that has nothing more to do. */
async function keepThread(thread: Worker, isNewcomer: boolean): Promise<void> {
  if (idle.has(isNewcomer)) await thread.terminate();
  else keepIdle(thread, isNewcomer, true);
}

function keepIdle(thread: Worker, isNewcomer: boolean, isReady: boolean): IdleThread {
  thread.unref();
  const kept = { thread, isReady, timer: setTimeout(() => void thread.terminate(), KEPT_MS).unref() };
  idle.set(isNewcomer, kept);
  return kept;
}

/** The uploads that this process is receiving or checking. Each has a folder of its own until it ends. */
import { Worker } from "node:worker_threads";
import { Problem } from "@/lib/contract/platform/problem";
import { badBundle } from "../../images/archive/bad-bundle";
import { createIncomingFolder, removeIncomingFolder } from "../../images/incoming-folder";
import type { Environment } from "../../platform/environment";
import { type Clock, createShare, isRefusal, SYSTEM_CLOCK } from "../../platform/requests/share";
import { threadCode } from "../../platform/thread-code";
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
    prepareThread(threadsOf(isNewcomer));
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

const MOST_CHECKS = 2;
const QUEUES = { queue: 256, queuePerKey: 32, longestWaitMs: 1_800_000 };

/** One upload of each organization is checked at a time, so that none can keep the others waiting. */
const checks = createShare({ total: MOST_CHECKS, perKey: 1, ...QUEUES });

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
  const threads = threadsOf(isNewcomer);
  const { thread, isReady } = openThread(threads);
  threads.busy += 1;
  try {
    // Loading the code is not the archive's fault, so it has no limit.
    if (!isReady) await nextMessage(thread, signal);
    const answer = nextMessage<InspectionReport>(thread, signal, limit);
    thread.postMessage(order);
    const report = await answer;
    if ("refused" in report && report.isSpent) await thread.terminate();
    else await keepThread(threads, thread);
    return report;
  } catch (error) {
    // Before the upload's folder is removed, because the thread may still be writing into it.
    await thread.terminate();
    throw error;
  } finally {
    threads.busy -= 1;
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

// The threads that check uploads. Loading the code takes longer than checking most images, so they are kept for the next.

/** JavaScript values. Buffers are outside of it; what is read into them is bounded by `BUNDLE_LIMITS`. */
const HEAP = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8 };

/** An idle thread's memory is given back after this time. */
const KEPT_MS = 30_000;

/** It gets a third of the processor time of calls. With less, honest images would be refused on a busy machine. */
const START = threadCode(import.meta.url, { source: "inspect-upload-thread.ts", bundle: "inspect-upload" });

interface IdleThread {
  thread: Worker;
  /** It has loaded its code. Its first message says so. */
  isReady: boolean;
  /** Ends it. */
  timer: NodeJS.Timeout;
}

/** Newcomers have their own, so that their refused archives leave the thread of the others alone. */
interface Threads {
  /** As many checks run at once. A thread for an upload that must wait would take processor time from the others for nothing. */
  most: number;
  busy: number;
  idle: IdleThread[];
}

const NEWCOMERS_THREADS: Threads = { most: 1, busy: 0, idle: [] };
const OTHER_THREADS: Threads = { most: MOST_CHECKS, busy: 0, idle: [] };

function threadsOf(isNewcomer: boolean): Threads {
  return isNewcomer ? NEWCOMERS_THREADS : OTHER_THREADS;
}

/** Loads the code while the upload arrives. */
function prepareThread(threads: Threads): void {
  if (threads.idle.length > 0 || threads.busy >= threads.most) return;
  const thread = startThread(threads);
  const kept = keepIdle(threads, thread, false);
  thread.once("message", () => (kept.isReady = true));
}

/** The caller ends or keeps it. */
function openThread(threads: Threads): { thread: Worker; isReady: boolean } {
  const kept = threads.idle.find(({ isReady }) => isReady) ?? threads.idle[0];
  if (kept === undefined) return { thread: startThread(threads), isReady: false };
  clearTimeout(kept.timer);
  threads.idle = threads.idle.filter((each) => each !== kept);
  kept.thread.ref();
  return kept;
}

function startThread(threads: Threads): Worker {
  const thread = new Worker(START, {
    eval: true,
    resourceLimits: HEAP,
    // What the process preloads is for its main thread, and code that reads hostile input needs no secrets.
    execArgv: [],
    env: {},
  });
  // One that fails while it is idle fails no upload.
  const forget = () => void (threads.idle = threads.idle.filter((each) => each.thread !== thread));
  return thread.on("error", forget).on("exit", forget);
}

/** For a thread that has nothing more to do. */
async function keepThread(threads: Threads, thread: Worker): Promise<void> {
  if (threads.idle.length + threads.busy > threads.most) await thread.terminate();
  else keepIdle(threads, thread, true);
}

function keepIdle(threads: Threads, thread: Worker, isReady: boolean): IdleThread {
  thread.unref();
  const kept = { thread, isReady, timer: setTimeout(() => void thread.terminate(), KEPT_MS).unref() };
  threads.idle.push(kept);
  return kept;
}

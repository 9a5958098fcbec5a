/**
 * Checks an upload in a thread of its own. Whatever an archive makes the checks do, requests of others are answered, and
 * the thread is ended when its time is over, its memory is used up, or the sender is gone.
 */
import type { Worker } from "node:worker_threads";
import { Problem } from "@/lib/contract/problem";
import { badBundle } from "../bundles/bad-bundle";
import { SYSTEM_CLOCK, type Clock } from "../limits/clock";
import { createShare } from "../limits/share";
import type { InspectedUpload, InspectionOrder, InspectionReport } from "./inspect-upload-thread";
import { keepThread, openThread } from "./inspection-threads";
import type { Upload } from "./uploads";

/** For the smallest archive. */
const LEAST_MS = 6_000;
/** Honest archives are checked at 40 MiB/s and more. */
const BYTES_PER_MS = (4 * 1024 * 1024) / 1000;

/** One upload of each organization is checked at a time, so that none can keep the others waiting. */
const checks = createShare({
  total: 2,
  perKey: 1,
  queue: 256,
  queuePerKey: 32,
  longestWaitMs: 1_800_000,
});

/** @param bytes the upload's size, which decides how long the checks may take */
export async function inspectUpload(
  { organizationId, folder, signal }: Upload,
  bytes: number,
  expected: Omit<InspectionOrder, "folder">,
  clock: Clock = SYSTEM_CLOCK,
): Promise<InspectedUpload> {
  const turn = await checks.enter(organizationId, signal);
  if ("full" in turn) {
    signal.throwIfAborted();
    const detail = "Too many images are waiting to be checked. Publish again in a few minutes.";
    throw new Problem("TOO_MANY_REQUESTS", detail, [], turn.retryAfterSeconds);
  }
  try {
    const limit = { ms: LEAST_MS + bytes / BYTES_PER_MS, clock };
    const report = await runThread({ folder, ...expected }, limit, signal);
    if ("inspected" in report) return report.inspected;
    const { code, detail, issues } = report.refused;
    throw new Problem(code, detail, issues);
  } finally {
    turn.leave();
  }
}

interface Limit {
  ms: number;
  clock: Clock;
}

async function runThread(
  order: InspectionOrder,
  limit: Limit,
  signal: AbortSignal,
): Promise<InspectionReport> {
  const { thread, isReady } = openThread();
  try {
    // Loading the code is not the archive's fault, so it has no limit.
    if (!isReady) await nextMessage(thread, signal);
    const answer = nextMessage<InspectionReport>(thread, signal, limit);
    thread.postMessage(order);
    const report = await answer;
    await keepThread(thread);
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

/**
 * Checks an upload in a thread of its own. Whatever an archive makes the checks do, requests of others are answered, and
 * the thread is ended when its time is over, its memory is used up, or the sender is gone.
 */
import { Worker } from "node:worker_threads";
import { Problem } from "@/lib/contract/problem";
import { badBundle } from "../bundles/bad-bundle";
import type { InspectedUpload, InspectionOrder, InspectionReport } from "./inspect-upload-thread";
import { takeTurn } from "./inspection-turns";
import type { Upload } from "./uploads";

/** For the smallest archive. */
const LEAST_MS = 8_000;
/** Honest archives are checked at 40 MiB/s and more. */
const BYTES_PER_MS = (4 * 1024 * 1024) / 1000;

/** JavaScript values. Buffers are outside of it; what is read into them is bounded by `BUNDLE_LIMITS`. */
const HEAP = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 8 };

/** In `.build`, the thread's bundle is beside this one (`launcher/build.mjs`). */
const BUNDLE = new URL("./inspect-upload.js", import.meta.url);
/** Tests run the sources, and a thread doesn't inherit what lets its process run them. */
const SOURCE = new URL("./inspect-upload-thread.ts", import.meta.url);
const RUN_SOURCE = `import("tsx/esm/api").then((tsx) => (tsx.register(), import("${SOURCE.href}")))`;
const IS_SOURCE = import.meta.url.endsWith(".ts");

/** @param bytes the upload's size, which decides how long the checks may take */
export async function inspectUpload(
  { organizationId, folder, signal }: Upload,
  bytes: number,
  expected: Omit<InspectionOrder, "folder">,
): Promise<InspectedUpload> {
  const endTurn = await takeTurn(organizationId, signal);
  try {
    const report = await runThread({ folder, ...expected }, LEAST_MS + bytes / BYTES_PER_MS, signal);
    if ("inspected" in report) return report.inspected;
    const { code, detail, issues } = report.refused;
    throw new Problem(code, detail, issues);
  } finally {
    endTurn();
  }
}

async function runThread(
  order: InspectionOrder,
  limitMs: number,
  signal: AbortSignal,
): Promise<InspectionReport> {
  const thread = new Worker(IS_SOURCE ? RUN_SOURCE : BUNDLE, {
    eval: IS_SOURCE,
    workerData: order,
    resourceLimits: HEAP,
    // What the process preloads is for its main thread, and code that reads hostile input needs no secrets.
    execArgv: [],
    env: {},
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<InspectionReport>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      thread.once("exit", () => signal.removeEventListener("abort", stop));
      thread.once("error", (error) => reject(toRefusal(error)));
      // Loading the code is not the archive's fault.
      thread.once("message", () => {
        timer = setTimeout(() => reject(tooSlow(limitMs)), limitMs);
        thread.once("message", (report: InspectionReport) => resolve(report));
      });
      if (signal.aborted) stop();
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
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

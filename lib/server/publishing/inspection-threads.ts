/** The threads that check uploads. Loading the code takes longer than checking most images, so one is kept for the next. */
import { Worker } from "node:worker_threads";

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

/** Each with the timer that ends it. */
const idle = new Map<Worker, NodeJS.Timeout>();

/** Its first message says that it is ready, unless it was kept. The caller ends or keeps it. */
export function openThread(): { thread: Worker; isReady: boolean } {
  for (const [thread, timer] of idle) {
    clearTimeout(timer);
    idle.delete(thread);
    thread.ref();
    return { thread, isReady: true };
  }
  const thread = new Worker(START, {
    eval: true,
    resourceLimits: HEAP,
    // What the process preloads is for its main thread, and code that reads hostile input needs no secrets.
    execArgv: [],
    env: {},
  });
  // One that fails while it is idle fails no upload.
  thread.on("error", () => idle.delete(thread));
  thread.on("exit", () => idle.delete(thread));
  return { thread, isReady: false };
}

/** For a thread that has nothing more to do. */
export async function keepThread(thread: Worker): Promise<void> {
  if (idle.size > 0) return void (await thread.terminate());
  thread.unref();
  idle.set(thread, setTimeout(() => void thread.terminate(), KEPT_MS).unref());
}

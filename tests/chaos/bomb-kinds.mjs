// What an app does to take everything that it can get. In a container only: nothing else limits it.
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

const MEBIBYTE = 1024 * 1024;
const THREADS = 16;
const IDLE = "setInterval(() => undefined, 1_000)";
const chunk = Buffer.alloc(4 * MEBIBYTE, 1);

let timer;
let threads = [];
let processes = [];
let kept = [];
let files = 0;

const BOMBS = {
  cpu: () => {
    threads = Array.from({ length: THREADS }, () => new Worker("for (;;);", { eval: true }));
  },
  fork: () => repeat(5, () => processes.push(startProcess())),
  memory: () => repeat(10, () => kept.push(Buffer.alloc(16 * MEBIBYTE, 1))),
  disk: () =>
    repeat(5, () => {
      try {
        writeFileSync(`/tmp/${files++}`, chunk);
      } catch {
        removeFiles();
      }
    }),
  log: () => repeat(1, () => process.stdout.write(`${"flood ".repeat(10_000)}\n`)),
};

/** @param name of a bomb. Only one is dropped; `none` ends it. */
export function dropBomb(name) {
  if (name !== "none" && (timer !== undefined || threads.length > 0)) return;
  clearInterval(timer);
  timer = undefined;
  for (const thread of threads) void thread.terminate();
  for (const child of processes) child.kill("SIGKILL");
  [threads, processes, kept] = [[], [], []];
  removeFiles();
  BOMBS[name]?.();
}

function repeat(everyMs, work) {
  timer = setInterval(work, everyMs);
}

/** A process that can't be created, or that is killed, is no reason to stop. */
function startProcess() {
  return spawn(process.execPath, ["-e", IDLE], { stdio: "ignore" }).on("error", () => undefined);
}

function removeFiles() {
  while (files > 0) rmSync(`/tmp/${--files}`, { force: true });
}

/** A program in a process group of its own, with its output line by line. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";

export type OutputStream = "stdout" | "stderr";

export interface ChildOptions {
  command: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  onLine: (stream: OutputStream, line: string) => void;
  /** Ends the group when this process ends, however it does. */
  guarded?: boolean;
}

export interface Exit {
  /** 128 and the signal's number if a signal ended it; null if it could not be started. */
  code: number | null;
  /** Completes "The app …". */
  reason: string;
}

export interface Child {
  pid: number | undefined;
  /** Resolves when it has ended and its output is complete. */
  exited: Promise<Exit>;
  /** To the whole group, so that what it started ends too. */
  signal(signal: NodeJS.Signals): void;
}

/** What a program spawned may keep its output open after it ended. */
const OUTPUT_MS = 200;
const SIGNAL_BASE = 128;

export function startChild({ command, cwd, environment, onLine, guarded = false }: ChildOptions): Child {
  const [file = "", ...args] = command;
  const isWindows = process.platform === "win32";
  const child = spawn(file, args, {
    cwd,
    env: { ...environment, NODE_ENV: environment.NODE_ENV === "production" ? "production" : "development" },
    detached: !isWindows,
    // `npm` and other scripts of Windows run only in its shell.
    shell: isWindows,
    stdio: ["ignore", "pipe", "pipe"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => onLine("stdout", line));
  createInterface({ input: child.stderr }).on("line", (line) => onLine("stderr", line));
  const endGuard = guarded && !isWindows && child.pid !== undefined ? guardGroup(child.pid) : () => undefined;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", endGuard);
    child.once("error", (error) => resolve({ code: null, reason: explainSpawn(error, file) }));
    child.once("exit", (code, signal) => {
      const exit = describeExit(code, signal);
      const timer = setTimeout(() => resolve(exit), OUTPUT_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(exit);
      });
    });
  });
  return {
    pid: child.pid,
    exited,
    signal: (signal) => {
      if (child.pid === undefined) return;
      try {
        if (isWindows) child.kill(signal);
        else process.kill(-child.pid, signal);
      } catch {
        // The group has already ended.
      }
    },
  };
}

/** A process that waits until the pipe to it closes, and then ends the group: nothing else survives `kill -9` of this process. */
function guardGroup(pid: number): () => void {
  const script = `process.stdin.on("end",()=>{try{process.kill(-${pid},"SIGKILL")}catch{}}).resume()`;
  const guard = spawn(process.execPath, ["-e", script], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  return () => void guard.kill("SIGKILL");
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): Exit {
  return signal === null
    ? { code, reason: `exited with code ${code ?? "unknown"}` }
    : { code: SIGNAL_BASE + constants.signals[signal], reason: `was killed by signal ${signal}` };
}

function explainSpawn(error: NodeJS.ErrnoException, file: string): string {
  return error.code === "ENOENT"
    ? `could not be started: the command "${file}" was not found`
    : `could not be started: ${error.message}`;
}

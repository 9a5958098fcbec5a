/** What runs the app: a container, or a process on this machine. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { explainGroup } from "./listening";

export interface AppExit {
  code: ReasonCode;
  /** Completes "The app …", such as "exited with code 1". */
  reason: string;
}

export interface RunningApp {
  /** On 127.0.0.1. */
  port: number;
  exited: Promise<AppExit>;
  /** What is known of where it listens, as a sentence for an app that isn't reached at its port. Never rejects. */
  explainListening(): Promise<string>;
  /** SIGTERM, then SIGKILL after the grace. Resolves when everything of it is gone. */
  stop(graceMs: number): Promise<"ended" | "killed">;
  /** SIGKILL at once. */
  kill(): Promise<void>;
}

export interface Runner {
  how: "container" | "process";
  /** The command, or the image. */
  what: string;
  /** What the app must call instead of 127.0.0.1 to reach the emulator, and where the emulator listens for that. */
  host: { name: string; listen: string };
  /** Builds the image, if there is one. Throws a BuildFailure. */
  prepare(onLine: (line: string) => void): Promise<void>;
  start(stateApi: string, onLine: (stream: "stdout" | "stderr", line: string) => void): Promise<RunningApp>;
  /** Removes whatever is left. */
  close(): Promise<void>;
}

/** The image could not be built. */
export class BuildFailure extends Error {
  constructor(
    message: string,
    /** The base image could not be fetched, so the app's own files may be right. */
    readonly isOffline: boolean,
  ) {
    super(message);
    this.name = "BuildFailure";
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

const LOOPBACK = "127.0.0.1";

/** Runs the app as a process of this machine. Nothing isolates it, so it is asked to listen on this machine only. */
export function processRunner(
  command: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Runner {
  return {
    how: "process",
    what: command.join(" "),
    host: { name: LOOPBACK, listen: LOOPBACK },
    prepare: async () => undefined,
    close: async () => undefined,
    start: async (stateApi, onLine) => {
      const port = await freePort();
      const child = startChild({
        command,
        cwd: folder,
        environment: {
          ...environment,
          PLATFORM_PORT: String(port),
          PLATFORM_STATE_API: stateApi,
          HOST: LOOPBACK,
        },
        onLine,
        guarded: true,
      });
      const exited = child.exited.then(
        ({ code, reason }) => ({ code: code === null ? "COMMAND_NOT_STARTED" : "EXITED", reason }) as const,
      );
      return {
        port,
        exited,
        explainListening: async () => (child.pid === undefined ? "" : explainGroup(child.pid, port)),
        stop: async (graceMs) => {
          child.signal("SIGTERM");
          const ended = await Promise.race([exited.then(() => true), sleep(graceMs, false, { ref: false })]);
          // Also what the app started itself, even if the app has ended.
          child.signal("SIGKILL");
          await exited;
          return ended ? "ended" : "killed";
        },
        kill: async () => {
          child.signal("SIGKILL");
          await exited;
        },
      };
    },
  };
}

type OutputStream = "stdout" | "stderr";

interface ChildOptions {
  command: readonly string[];
  cwd: string;
  environment: Readonly<Record<string, string | undefined>>;
  onLine: (stream: OutputStream, line: string) => void;
  /** Ends the group when this process ends, however it does. */
  guarded?: boolean;
}

interface Exit {
  /** 128 and the signal's number if a signal ended it; null if it could not be started. */
  code: number | null;
  /** Completes "The app …". */
  reason: string;
}

interface Child {
  pid: number | undefined;
  /** Resolves when it has ended and its output is complete. */
  exited: Promise<Exit>;
  /** To the whole group, so that what it started ends too. */
  signal(signal: NodeJS.Signals): void;
}

/** What a program spawned may keep its output open after it ended. */
const OUTPUT_MS = 200;
const SIGNAL_BASE = 128;

/** A program in a process group of its own, with its output line by line. */
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

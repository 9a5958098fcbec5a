/** One app as a child of this process: how it is spawned, what it says, how it ended. */
import { spawn } from "node:child_process";
import path from "node:path";

const LOG_BYTES = 64 * 1024;

/** Ends the app when the pipe from the worker closes, which the system does whatever way the worker died. */
const END_WITH_WORKER =
  'data:text/javascript,process.stdin.on("end",()=>process.exit(0)).resume().unref?.();';

export interface Child {
  /** Undefined when it could not be spawned. */
  pid: number | undefined;
  /** How it ended, as in "ended with code 1"; undefined while it runs. */
  exit?: string;
  /** The end of its output. */
  log: Buffer;
}

/** Nothing of this process's environment is handed on. */
export function spawnChild(script: string, environment: Record<string, string>): Child {
  const spawned = spawn(process.execPath, ["--import", END_WITH_WORKER, script], {
    cwd: path.dirname(script),
    // A process group of its own: what the app spawns ends with it.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...environment, NODE_ENV: "production", PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  const child: Child = { pid: spawned.pid, log: Buffer.alloc(0) };
  const note = (chunk: Buffer) => {
    child.log = Buffer.concat([child.log, chunk]).subarray(-LOG_BYTES);
  };
  spawned.stdout.on("data", note);
  spawned.stderr.on("data", note);
  // The app may close its input; that is no concern of ours.
  spawned.stdin.on("error", () => undefined);
  spawned.once("error", (error) => note(Buffer.from(error.message)));
  spawned.once("exit", (code, signal) => {
    child.exit = code === null ? `was ended by the signal ${signal}` : `ended with code ${code}`;
  });
  return child;
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is empty already.
  }
}

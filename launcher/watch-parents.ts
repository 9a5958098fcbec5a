/**
 * `npm start` runs the launcher in a shell. A supervisor signals npm alone, and npm passes the signal to the shell, which ends
 * without passing it on. So the launcher notices that the processes above it are gone.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { readStartTime } from "@/lib/server/platform/machine";

const run = promisify(execFile);
const LOOK_MS = 500;

/**
 * Calls `onGone` once when npm or its shell has ended. Does nothing for a launcher that npm didn't start: with `nohup` or a supervisor, it
 * outlives its parent on purpose. Returns how to stop watching.
 */
export async function watchParents(
  onGone: () => void,
  { env = process.env, everyMs = LOOK_MS }: { env?: NodeJS.ProcessEnv; everyMs?: number } = {},
): Promise<() => void> {
  if (env.npm_lifecycle_event === undefined || process.platform === "win32") return () => undefined;
  const parent = process.ppid;
  const npm = await findAboveShell(parent);
  const npmStarted = npm && (await readStartTime(npm));
  const isGone = async () =>
    process.ppid !== parent || (npm !== undefined && (await readStartTime(npm)) !== npmStarted);
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void isGone().then((gone) => {
      looking = false;
      if (!gone) return;
      clearInterval(timer);
      onGone();
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The parent of the shell that runs this script for npm; undefined if npm is the launcher's own parent. */
async function findAboveShell(pid: number): Promise<number | undefined> {
  const script = path.basename(process.argv[1] ?? "");
  const { parent, command } = await readProcess(pid);
  return script !== "" && command.includes(script) && parent > 1 ? parent : undefined;
}

async function readProcess(pid: number): Promise<{ parent: number; command: string }> {
  if (process.platform === "linux") {
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
    );
    // After the command in parentheses come the state and the parent.
    const parent = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
    return { parent: Number(parent ?? 0), command: command ?? "" };
  }
  const { stdout } = await run("ps", ["-o", "ppid=,command=", "-p", String(pid)]).catch(() => ({
    stdout: "",
  }));
  const [, parent = "0", command = ""] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
  return { parent: Number(parent), command };
}

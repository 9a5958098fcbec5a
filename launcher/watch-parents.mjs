// `npm start` runs what starts the platform in a shell. A supervisor signals npm alone, and npm passes the signal to the shell, which ends
// without passing it on. So each process that npm starts notices that the processes above it are gone: see start.mjs.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describeProcess, readIfThere, readStat } from "./describe-process.mjs";

const LOOK_MS = 500;

/**
 * Notices once that npm or its shell has ended. Does nothing for a process that npm didn't start: with `nohup` or a supervisor, it
 * outlives its parent on purpose.
 * @returns what to do then, which may be changed: by default, the process ends as if it had received SIGTERM
 */
export function watchParents({ env = process.env, everyMs = LOOK_MS } = {}) {
  const parents = { whenGone: () => process.kill(process.pid, "SIGTERM") };
  if (env.npm_lifecycle_event === undefined || process.platform === "win32") return parents;
  const parent = process.ppid;
  const npm = findAboveShell(parent);
  const npmStarted = describeProcess(npm);
  const timer = setInterval(() => {
    if (process.ppid === parent && describeProcess(npm) === npmStarted) return;
    clearInterval(timer);
    parents.whenGone();
  }, everyMs);
  timer.unref();
  return parents;
}

/** The parent of the shell that runs this script for npm; 0 if npm is this process's own parent. */
function findAboveShell(pid) {
  const script = path.basename(process.argv[1] ?? "");
  const { parent, command } = readProcess(pid);
  return script !== "" && command.includes(script) && parent > 1 ? parent : 0;
}

function readProcess(pid) {
  if (process.platform === "linux")
    return { parent: Number(readStat(pid)[1] ?? 0), command: readIfThere(`/proc/${pid}/cmdline`) };
  try {
    const text = execFileSync("ps", ["-o", "ppid=,command=", "-p", String(pid)], { encoding: "utf8" });
    const [, parent = "0", command = ""] = /^\s*(\d+)\s+(.*)/.exec(text) ?? [];
    return { parent: Number(parent), command };
  } catch {
    return { parent: 0, command: "" };
  }
}

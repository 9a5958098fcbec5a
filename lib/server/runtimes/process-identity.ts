import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * When the process started, in a format that depends on the system; undefined if it does not exist.
 * Pids are reused, but a pid with its start time is unique. On Linux: the boot's id and the ticks since the boot.
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === "linux") {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    // The second field is the command in parentheses, which may contain spaces. After it, the 1st field is the state and the 20th the start.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields === undefined || fields[0] === "Z") return undefined;
    return `${boot.trim()}/${fields[19]}`;
  }
  if (process.platform === "win32") return "unknown";
  const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

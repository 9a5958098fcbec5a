import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * When the process started, in a format that depends on the system; undefined if it does not exist or has ended.
 * Pids are reused, but a pid with its start time is unique. On Linux: the boot's id and the ticks since the boot.
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
  if (!isAlive(pid)) return undefined;
  if (process.platform === "linux") {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    // The second field is the command in parentheses, which may contain spaces. After it, the 1st field is the state, the 18th the
    // number of threads and the 20th the start.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields === undefined) return undefined;
    // While a killed process still has other threads, its listeners accept connections although its first thread has ended.
    if (fields[0] === "Z" && Number(fields[17]) <= 1) return undefined;
    return `${boot.trim()}/${fields[19]}`;
  }
  if (process.platform === "win32") return "unknown";
  const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}

/** The kernel counts in hundredths of a second, whatever its own clock does. */
const TICK_NS = 10_000_000;

/** CPU time since its start and resident memory; a process has no limits of its own. */
interface ProcessUsage {
  cpuNs: number;
  memoryBytes: number;
  limits: null;
}

/** What a process uses, without processes that it spawned and that still run. Only on Linux. */
export async function readProcessUsage(pid: number): Promise<ProcessUsage | undefined> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const [stat, status] = await Promise.all([read("stat"), read("status")]);
  // After the command, the 12th to 15th fields are its own time and that of processes it waited for: user, system, each.
  const times = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
  const kibibytes = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
  if (times.length < 4 || kibibytes.length === 0) return undefined;
  return { cpuNs: sum(times) * TICK_NS, memoryBytes: sum(kibibytes) * 1024, limits: null };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The platform's version, as its package names it. */
export async function readRelease(): Promise<string> {
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), "package.json");
  const text = await readFile(file, "utf8").catch(() => "");
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? "unknown";
}

/** Briefly binds the port; 0 means any. Returns the bound port, or the error code that prevented it. */
export function probePort(host: string, port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = address !== null && typeof address === "object" ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/** `preferred` if it is free, otherwise any port that is. */
export async function freePort(host = "127.0.0.1", preferred = 0): Promise<number> {
  const first = await probePort(host, preferred);
  const port = typeof first === "number" ? first : await probePort(host, 0);
  if (typeof port === "number") return port;
  throw new Error(`No port can be opened on ${host} (${port}).`);
}

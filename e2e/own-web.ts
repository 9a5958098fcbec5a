/** The web part alone, with a database of its own: what a spec stores there disturbs no other spec. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { migrateDatabase } from "@/lib/server/platform/database/migrate";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { freePort } from "@/lib/server/platform/machine";
import type { Platform } from "@/lib/server/platform/platform";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { readDatabaseUrl, type RunningPlatform } from "./start-platform";

interface OwnWeb {
  webUrl: string;
  platform: Platform;
  /** Everything that it printed. */
  readOutput: () => string;
  /** Sends SIGTERM. Returns the status with which it ended. */
  stop: () => Promise<number | null>;
}

const BUILD = path.resolve(".build");

/** `shared`: its PostgreSQL gets another database with this name. */
export async function startOwnWeb(
  shared: RunningPlatform,
  name: string,
  settings: Record<string, string> = {},
): Promise<OwnWeb> {
  const admin = await readDatabaseUrl(shared);
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(`create database ${pg.escapeIdentifier(name)}`);
  await client.end();
  const url = new URL(admin);
  url.pathname = name;
  await migrateDatabase(url.href, "drizzle/migrations");

  const port = await freePort();
  const variables = {
    DATABASE_URL: url.href,
    PLATFORM_MASTER_KEYS: newMasterKey("k1"),
    PLATFORM_DATA_DIR: path.join(shared.dataDir, name),
    PLATFORM_WEB_PORT: String(port),
    PLATFORM_WEB_URL: `http://localhost:${port}`,
    NODE_ENV: "production" as const,
    ...settings,
  };
  const logFile = path.join(shared.dataDir, `${name}.log`);
  const log = openSync(logFile, "w");
  const child = fork(path.join(BUILD, "web.js"), {
    env: { ...process.env, ...variables },
    execArgv: ["--import", pathToFileURL(path.join(BUILD, "leave-with-launcher.js")).href],
    stdio: ["ignore", log, log, "ipc"],
  });
  const readOutput = () => readFileSync(logFile, "utf8");
  const exited = once(child, "exit");
  if ((await Promise.race([once(child, "message"), exited.then(() => undefined)])) === undefined)
    throw new Error(`The web part did not start:\n${readOutput()}`);
  const platform = createPlatform({ ...readEnvironment(variables), PLATFORM_LOG_LEVEL: "silent" }, "e2e");
  return {
    webUrl: variables.PLATFORM_WEB_URL,
    platform,
    readOutput,
    stop: async () => {
      child.kill("SIGTERM");
      const [[code]] = await Promise.all([exited, platform.pool.end()]);
      return code;
    },
  };
}

import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { embeddedUrl, startEmbeddedPostgres } from "@/launcher/data-folder/embedded-postgres";
import { lockDataFolder } from "@/launcher/data-folder/lock";
import { readSecrets, StartError, writeSecrets } from "@/launcher/data-folder/secrets";
import { describeDatabaseError } from "@/launcher/explain-database";
import { readSettings, type Settings } from "@/launcher/settings";
import { isDatabaseUnavailable } from "@/lib/server/platform/database/availability";
import { readEnvironment } from "@/lib/server/platform/environment";
import type { Platform } from "@/lib/server/platform/platform";
import { RotationRefusedError } from "@/lib/server/platform/rotate-keys";
import { BackupError } from "@/lib/server/surface/backup/backup-format";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";

/** 0: done; 1: failed, or found something wrong; 2: done, except for what it names. */
export type ExitCode = 0 | 1 | 2;

// Nobody may be reading the output anymore, such as after `| head`. The work goes on.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Undefined if one of them is not known, or lacks its value. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    return undefined;
  }
}

/** Runs one command and prints why it failed, without query parameters, because they may contain stored values. */
export async function withPlatform(
  root: string,
  work: (platform: Platform) => Promise<ExitCode>,
  next = "Completed work is kept; run the command again to continue.",
): Promise<ExitCode> {
  const platform = await openPlatform(root).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  });
  return platform === undefined ? 1 : run(platform, work, next);
}

/** For what may as well be left out. Undefined if there are no settings, or the database doesn't answer. */
export async function tryPlatform<Result>(
  root: string,
  work: (platform: Platform) => Promise<Result>,
): Promise<Result | undefined> {
  const platform = await openPlatform(root).catch(() => undefined);
  if (platform === undefined) return undefined;
  try {
    return await work(platform);
  } catch {
    return undefined;
  } finally {
    await closePlatform(platform);
  }
}

async function run(
  platform: Platform,
  work: (platform: Platform) => Promise<ExitCode>,
  next: string,
): Promise<ExitCode> {
  try {
    return await work(platform);
  } catch (error) {
    process.stderr.write(`The command failed: ${describeError(error, next)}\n`);
    return 1;
  } finally {
    await closePlatform(platform);
  }
}

/**
 * Opens the database with the master keys of the running platform: from the environment and `.env`, or from the data
 * folder of `npm start`. Creates nothing: a folder without secrets is an error.
 */
async function openPlatform(root: string): Promise<Platform> {
  const settings = await readSettings(root, false);
  const { env, dataDir, databaseUrl } = settings;
  let url = databaseUrl;
  let masterKeys = env.PLATFORM_MASTER_KEYS;
  if (url === undefined || masterKeys === undefined) {
    if (!existsSync(path.join(dataDir, "secrets.json")))
      throw new StartError(
        `${dataDir} contains no secrets. Set DATABASE_URL and PLATFORM_MASTER_KEYS, or PLATFORM_DATA_DIR.`,
      );
    const secrets = await readSecrets(dataDir);
    url ??= embeddedUrl(secrets);
    masterKeys ??= secrets.masterKeys;
  }
  return createWith(settings, url, masterKeys);
}

function createWith({ env, dataDir }: Settings, url: string, masterKeys: string): Platform {
  const variables = {
    ...env,
    DATABASE_URL: url,
    PLATFORM_MASTER_KEYS: masterKeys,
    PLATFORM_DATA_DIR: dataDir,
  };
  return createPlatform(readEnvironment({ PLATFORM_LOG_LEVEL: "error", ...variables }), "upkeep");
}

/** From the environment, `.env`, or the data folder. Undefined if none of them has any. Creates nothing. */
export async function readMasterKeys(root: string): Promise<string | undefined> {
  const { env, dataDir } = await readSettings(root, false);
  if (env.PLATFORM_MASTER_KEYS !== undefined) return env.PLATFORM_MASTER_KEYS;
  if (!existsSync(path.join(dataDir, "secrets.json"))) return undefined;
  return (await readSecrets(dataDir)).masterKeys;
}

/**
 * Opens a platform that doesn't run, for a restoration: on the database of `DATABASE_URL`, or on an embedded PostgreSQL, which it starts,
 * and creates in an empty data folder.
 */
export async function withStoppedPlatform(
  root: string,
  masterKeys: string,
  work: (platform: Platform) => Promise<ExitCode>,
): Promise<ExitCode> {
  const settings = await readSettings(root, false);
  const { dataDir, databaseUrl } = settings;
  const unlock = await lockDataFolder(dataDir);
  try {
    if (databaseUrl !== undefined) return await run(createWith(settings, databaseUrl, masterKeys), work, "");
    const isNew = !existsSync(path.join(dataDir, "secrets.json"));
    const secrets = await readSecrets(dataDir);
    if (isNew) await writeSecrets(dataDir, Object.assign(secrets, { masterKeys }));
    const postgres = await startEmbeddedPostgres(dataDir, secrets);
    try {
      return await run(createWith(settings, postgres.url, masterKeys), work, "");
    } finally {
      postgres.expectEnd();
      await postgres.stop();
    }
  } finally {
    await unlock();
  }
}

function describeError(error: unknown, next: string): string {
  if (error instanceof BackupError || error instanceof RotationRefusedError) return error.message;
  const { message, fix } = describeDatabaseError(error);
  const hint = fix ?? (isDatabaseUnavailable(error) ? "The database must be running." : "");
  return [message, hint, next].filter(Boolean).join("\n");
}

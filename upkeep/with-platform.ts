import { existsSync } from "node:fs";
import path from "node:path";
import { embeddedUrl } from "@/launcher/data-folder/embedded-postgres";
import { readSecrets, StartError } from "@/launcher/data-folder/secrets";
import { describeDatabaseError } from "@/launcher/explain-database";
import { readSettings } from "@/launcher/settings";
import { isDatabaseUnavailable } from "@/lib/server/platform/database/availability";
import { readEnvironment } from "@/lib/server/platform/environment";
import type { Platform } from "@/lib/server/platform/platform";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";

/** 0: done; 1: failed, or found something wrong. */
export type ExitCode = 0 | 1;

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one command and prints why it failed, without query parameters, because they may contain stored values. */
export async function withPlatform(
  root: string,
  work: (platform: Platform) => Promise<ExitCode>,
): Promise<ExitCode> {
  const platform = await openPlatform(root).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  });
  if (platform === undefined) return 1;
  try {
    return await work(platform);
  } catch (error) {
    process.stderr.write(`The command failed: ${describeError(error)}\n`);
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
  const { env, dataDir, databaseUrl } = readSettings(root, false);
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
  const variables = { ...env, DATABASE_URL: url, PLATFORM_MASTER_KEYS: masterKeys };
  return createPlatform(readEnvironment({ PLATFORM_LOG_LEVEL: "error", ...variables }), "upkeep");
}

function describeError(error: unknown): string {
  const { message, fix } = describeDatabaseError(error);
  const next = fix ?? (isDatabaseUnavailable(error) ? "The database must be running." : "");
  return [message, next, "Completed work is kept; run the command again to continue."]
    .filter(Boolean)
    .join("\n");
}

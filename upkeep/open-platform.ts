import { existsSync } from "node:fs";
import path from "node:path";
import { DATABASE } from "@/launcher/embedded-postgres";
import { Refusal } from "@/launcher/refusal";
import { readSecrets } from "@/launcher/secrets";
import { readSettings } from "@/launcher/settings";
import { readEnvironment } from "@/lib/server/platform/environment";
import { createPlatform, type Platform } from "@/lib/server/platform/platform";

/**
 * The database and the master keys that the platform runs with: from the environment and `.env`, or, where `npm start`
 * keeps its own, from the data folder. Nothing is made here: a folder without secrets is refused.
 */
export async function openPlatform(root: string): Promise<Platform> {
  const { env, dataDir, databaseUrl } = readSettings(root, false);
  let url = databaseUrl;
  let masterKeys = env.PLATFORM_MASTER_KEYS;
  if (url === undefined || masterKeys === undefined) {
    if (!existsSync(path.join(dataDir, "secrets.json")))
      throw new Refusal(
        `There are no secrets in ${dataDir}. Set DATABASE_URL and PLATFORM_MASTER_KEYS, or PLATFORM_DATA_DIR.`,
      );
    const secrets = await readSecrets(dataDir);
    url ??= `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${secrets.ports.postgres ?? 0}/${DATABASE}`;
    masterKeys ??= secrets.masterKeys;
  }
  const variables = { ...env, DATABASE_URL: url, PLATFORM_MASTER_KEYS: masterKeys };
  return createPlatform(readEnvironment({ PLATFORM_LOG_LEVEL: "error", ...variables }), "upkeep");
}

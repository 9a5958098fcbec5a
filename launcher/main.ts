import { mkdir } from "node:fs/promises";
import path from "node:path";
import { bannerOf } from "./banner";
import { findContainerAddress } from "./container-addresses";
import { startEmbeddedPostgres } from "./embedded-postgres";
import { Lifetime } from "./lifetime";
import { lockDataFolder } from "./lock";
import { prepareDatabase } from "./prepare-database";
import { readSecrets } from "./secrets";
import { chooseAddresses, environmentOfParts, readSettings, type Settings } from "./settings";
import { startParts } from "./start-parts";

/** How long a start that is told to end gets to notice. */
const NOTICE_MS = 20_000;

export interface LaunchOptions {
  root: string;
  dev: boolean;
  /** Builds the pages if they changed. */
  buildPages: () => Promise<void>;
}

/** Starts everything and returns when it runs; what it started ends with a signal. Throws after ending all when a step fails. */
export async function launch({ root, dev, buildPages }: LaunchOptions): Promise<void> {
  const lifetime = new Lifetime();
  const starting = start(readSettings(root, dev), lifetime, buildPages);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stop(signal, lifetime, starting));
  // A fault of our own must not leave parts behind that nobody owns.
  process.on("uncaughtException", (error) => void fail(error, lifetime));
  try {
    await starting;
  } catch (error) {
    if (lifetime.isEnding) return;
    await lifetime.end();
    throw error;
  }
}

async function stop(signal: string, lifetime: Lifetime, starting: Promise<void>): Promise<void> {
  if (lifetime.isEnding) {
    console.error("Ending at once.");
    lifetime.kill();
    process.exit(130);
  }
  console.log(
    `\n${signal}: ending all parts. ${signal === "SIGINT" ? "Ctrl-C again ends them at once." : ""}`,
  );
  await lifetime.end();
  // A start that was under way may have begun one more thing since.
  await Promise.race([
    starting.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, NOTICE_MS)),
  ]);
  await lifetime.end();
  console.log("Ended.");
  process.exit(0);
}

async function fail(error: Error, lifetime: Lifetime): Promise<void> {
  console.error("The launcher broke; ending all parts.", error);
  if (!lifetime.isEnding) await lifetime.end();
  process.exit(1);
}

async function start(settings: Settings, lifetime: Lifetime, buildPages: () => Promise<void>): Promise<void> {
  const { dataDir, root } = settings;
  lifetime.own(await lockDataFolder(dataDir));
  const secrets = await readSecrets(dataDir);
  await mkdir(path.join(dataDir, "logs"), { recursive: true });
  const container = settings.env.PLATFORM_RUNTIME === "process" ? undefined : await findContainerAddress();
  const addresses = await chooseAddresses(settings, secrets, container);
  await buildPages();
  goOn(lifetime);

  const embedded =
    settings.databaseUrl === undefined ? await startEmbeddedPostgres(dataDir, secrets) : undefined;
  if (embedded !== undefined) lifetime.own(() => embedded.stop());
  goOn(lifetime);
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  await prepareDatabase(databaseUrl, path.join(root, "drizzle/migrations"), (message) =>
    console.log(message),
  );
  goOn(lifetime);

  const env = environmentOfParts(settings, secrets, addresses, databaseUrl);
  const started = await startParts({ settings, secrets, addresses, env, lifetime });
  goOn(lifetime);
  console.log(bannerOf({ settings, addresses, embedded, ...started }));
}

function goOn(lifetime: Lifetime): void {
  if (lifetime.isEnding) throw new Error("told to end");
}

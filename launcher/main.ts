import { mkdir } from "node:fs/promises";
import path from "node:path";
import { readEnvironment } from "@/lib/server/platform/environment";
import { isOnHold, ON_HOLD } from "@/lib/server/platform/hold-queries";
import { chooseAddresses, findContainerAddress, recallContainerAddress } from "./addresses";
import { createBanner } from "./banner";
import type * as buildSteps from "./build.mjs";
import { startEmbeddedPostgres } from "./data-folder/embedded-postgres";
import { lockDataFolder } from "./data-folder/lock";
import { explainUnwritable, readSecrets, type Secrets } from "./data-folder/secrets";
import { Lifetime } from "./part";
import { printAsJson } from "./print-output";
import { prepareDatabase } from "./prepare-database";
import {
  createPartEnvironment,
  readDataDir,
  readSettings,
  requireValidSettings,
  type Settings,
  warnOfRegistry,
} from "./settings";
import { growInBackground, startParts } from "./start-parts";
import { watchIsolation } from "./watch-engine";
import type { Parents } from "./watch-parents.mjs";

/** How long a start that is stopped may take to notice. */
const NOTICE_MS = 20_000;

/** Signals within this time are one request. */
const SAME_REQUEST_MS = 1_000;

export interface LaunchOptions {
  root: string;
  dev: boolean;
  build: typeof buildSteps;
  /** npm, and its shell. */
  parents: Parents;
}

/** Starts everything and returns when it is running; a signal stops it. If a step fails, stops everything and throws. */
export async function launch(options: LaunchOptions): Promise<void> {
  const lifetime = new Lifetime();
  // Nobody may be reading the output anymore, such as after the terminal was closed.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const starting = start(options, lifetime);
  let stoppedAt = 0;
  const stopOnce = (cause: string) => {
    // A terminal and npm both send Ctrl-C. That is one request, which must not skip the orderly end.
    if (lifetime.isEnding && Date.now() - stoppedAt < SAME_REQUEST_MS) return;
    stoppedAt = Date.now();
    void stop(cause, lifetime, starting);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopOnce(signal));
  options.parents.whenGone = () => {
    if (!lifetime.isEnding) stopOnce("npm has ended");
  };
  // A bug in the launcher must not leave parts running without an owner.
  process.on("uncaughtException", (error) => void fail(error, lifetime));
  try {
    await starting;
  } catch (error) {
    if (lifetime.isEnding) return;
    await lifetime.end();
    throw explainUnwritable(error, readDataDir(options.root));
  }
}

async function stop(signal: string, lifetime: Lifetime, starting: Promise<void>): Promise<void> {
  if (lifetime.isEnding) {
    console.error("Stopping immediately.");
    lifetime.kill();
    process.exit(130);
  }
  console.log(
    `\n${signal}: stopping all parts.${signal === "SIGINT" ? " Press Ctrl-C again to stop them immediately." : ""}`,
  );
  await lifetime.end();
  // A start in progress may have started something else since.
  await Promise.race([
    starting.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, NOTICE_MS)),
  ]);
  await lifetime.end();
  console.log("Stopped.");
  process.exit(0);
}

async function fail(error: Error, lifetime: Lifetime): Promise<void> {
  console.error("The launcher failed; stopping all parts.", error);
  if (!lifetime.isEnding) await lifetime.end();
  process.exit(1);
}

async function start({ root, dev, build }: LaunchOptions, lifetime: Lifetime): Promise<void> {
  const settings = await readSettings(root, dev);
  if (settings.production) printAsJson();
  const { dataDir, env } = settings;
  lifetime.own(await lockDataFolder(dataDir));
  const secrets = await readSecrets(dataDir);
  await mkdir(path.join(dataDir, "logs"), { recursive: true });
  // Without an engine's bridge, no listener is needed there.
  const mayUseEngine = env.PLATFORM_RUNTIME !== "process" && env.PLATFORM_RUNTIME !== "kubernetes";
  const container = mayUseEngine ? await findContainers(settings, secrets) : undefined;
  const addresses = await chooseAddresses(settings, secrets, container);
  const checked = createPartEnvironment(settings, secrets, addresses, settings.databaseUrl ?? "embedded");
  requireValidSettings(checked);
  void warnOfRegistry(readEnvironment(checked));
  const building = new AbortController();
  lifetime.own(async () => building.abort());
  if (!dev) await build.buildPages(building.signal);
  throwIfEnding(lifetime);

  const embedded =
    settings.databaseUrl === undefined ? await startEmbeddedPostgres(dataDir, secrets) : undefined;
  if (embedded !== undefined)
    lifetime.supervise({ expectEnd: embedded.expectEnd, end: embedded.stop, kill: embedded.kill });
  throwIfEnding(lifetime);
  const databaseUrl = settings.databaseUrl ?? embedded?.url ?? "";
  await prepareDatabase(databaseUrl, path.join(root, "drizzle/migrations"));
  throwIfEnding(lifetime);

  const partEnv = createPartEnvironment(settings, secrets, addresses, databaseUrl);
  const started = await startParts({ settings, secrets, addresses, env: partEnv, lifetime, build });
  throwIfEnding(lifetime);
  console.log(
    settings.production
      ? `The platform is running. Pages: ${addresses.webUrl}. Gateway: ${addresses.gatewayUrl}.`
      : createBanner({ settings, addresses, embedded, ...started }),
  );
  // In production, the worker's log in the same terminal says both.
  if (!settings.production && (await isOnHold(started.platform.db))) console.log(`\n${ON_HOLD}`);
  if (!settings.production) lifetime.own(watchIsolation(started.platform, console.log));
  lifetime.own(growInBackground(started.platform, settings, secrets));
}

/** In production, an engine that is away at the start was there before, and comes back. */
async function findContainers({ production }: Settings, secrets: Secrets) {
  return (await findContainerAddress()) ?? (production ? await recallContainerAddress(secrets) : undefined);
}

function throwIfEnding(lifetime: Lifetime): void {
  if (lifetime.isEnding) throw new Error("stopped while starting");
}

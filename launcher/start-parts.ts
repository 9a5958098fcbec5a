import path from "node:path";
import { DEMO_ACCOUNTS, type DemoAccount } from "@/demo/accounts";
import { growDemo } from "@/demo/grow";
import { isUnused, moveDemoTenants, seedDemo } from "@/demo/seed";
import { moveSandboxes } from "@/lib/server/installations/tenants/connect-sandbox";
import { findKeyringFaults } from "@/lib/server/platform/check-keyring";
import { readEnvironment } from "@/lib/server/platform/environment";
import type { Platform } from "@/lib/server/platform/platform";
import { buildExampleImage } from "@/lib/server/runtime/engines/docker-example-image";
import { countReady } from "@/lib/server/runtime/instance-queries";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { chooseMetricsPort, endContainers } from "./addresses";
import type * as buildSteps from "./build.mjs";
import { type Secrets, StartError, writeSecrets } from "./data-folder/secrets";
import { type Lifetime, Part, type PartOptions } from "./part";
import type { Addresses, Settings } from "./settings";
import { type RunningApps, watchEngine } from "./watch-engine";

interface PartsInput {
  settings: Settings;
  secrets: Secrets;
  addresses: Addresses;
  env: NodeJS.ProcessEnv;
  lifetime: Lifetime;
  build: typeof buildSteps;
}

export interface Started {
  platform: Platform;
  workerReady: unknown;
  running: RunningApps[];
  /** Empty if this database has no demo. */
  accounts: readonly DemoAccount[];
}

/** Starts web, gateway, and worker, and the demo with its core if this database has one. Resolves when all are ready. */
export async function startParts(input: PartsInput): Promise<Started> {
  const { settings, secrets, addresses, lifetime, env } = input;
  const platform = createPlatform({ ...readEnvironment(env), PLATFORM_LOG_LEVEL: "silent" }, "launcher");
  lifetime.own(() => closePlatform(platform));
  await requireKeys(platform, settings);
  const hasDemo = await wantsDemo(platform, settings, secrets);
  const core = hasDemo ? createPart(input, coreOptions(input)) : undefined;
  // The demo's core also serves the sandboxes.
  const sandboxes = hasDemo
    ? { PLATFORM_SANDBOX_CORE_URL: env.PLATFORM_SANDBOX_CORE_URL ?? addresses.coreUrl }
    : {};
  const create = (name: string, more: Partial<NodeJS.ProcessEnv> = {}) =>
    createPart(input, {
      name,
      script: path.join(settings.root, ".build", `${name}.js`),
      env: { ...env, ...sandboxes, ...chooseMetricsPort(env, name), ...more },
    });
  const gateway = create("gateway");
  if (!settings.production) lifetime.own(() => endContainers(settings.dataDir));
  const worker = create("worker");
  const web = create("web", {
    NODE_ENV: settings.dev ? "development" : "production",
    PLATFORM_DEV: settings.dev ? "1" : "0",
    NEXT_TELEMETRY_DISABLED: "1",
  });

  // The worker delivers what waits as soon as it runs, and apps then read their state at the gateway.
  const gatewayReady = gateway.start();
  const [workerReady] = await Promise.all([
    gatewayReady.then(() => worker.start()),
    web.start(),
    Promise.all([gatewayReady, core?.start()]).then(() =>
      hasDemo ? startDemo(platform, settings, secrets, addresses) : undefined,
    ),
  ]);
  if (settings.dev) await restartOnChange(input, { gateway, worker });
  if (waitsForEngine(env, addresses)) {
    const demo = core && { core, createCoreEnvironment: (to: Addresses) => createCoreEnvironment(input, to) };
    lifetime.own(watchEngine({ platform, settings, secrets, addresses, gateway, worker, web, demo }));
  }
  const running = await countReady(platform.db);
  return { platform, workerReady, running, accounts: hasDemo ? DEMO_ACCOUNTS : [] };
}

/**
 * Without an engine there is no address at which containers reach the state API. In production, too, the engine may come back later, and what
 * it runs then needs one.
 */
export function waitsForEngine(
  { PLATFORM_RUNTIME: runtime }: NodeJS.ProcessEnv,
  { stateListen }: Pick<Addresses, "stateListen">,
): boolean {
  return runtime !== "process" && runtime !== "kubernetes" && stateListen === "";
}

/** With wrong keys, everything would start and no call would work. */
async function requireKeys({ keyring, db }: Platform, { env, dataDir }: Settings): Promise<void> {
  const faults = await findKeyringFaults(keyring, db);
  if (faults.length === 0) return;
  const where =
    env.PLATFORM_MASTER_KEYS === undefined
      ? `masterKeys in ${path.join(dataDir, "secrets.json")}`
      : "PLATFORM_MASTER_KEYS";
  throw new StartError(
    `${faults.join("\n")}\nThe platform can't open stored secrets without it, so it does not start. Set the same keys in ${where} as the ` +
      "launch that created the database. No backup has them: look where you keep them, or in that launch's secrets.json. See docs/keys.md.",
  );
}

/** In development, a saved change rebuilds and restarts the parts that contain it. Next does so itself for web. */
async function restartOnChange({ build, lifetime }: PartsInput, parts: Record<string, Part>): Promise<void> {
  for (const [name, part] of Object.entries(parts)) {
    const stopWatching = await build.watchEntryPoint(name, () => {
      console.log(`${name} changed. Restarting it.`);
      void part.restart();
    });
    lifetime.own(stopWatching);
  }
}

function createPart(
  { settings, lifetime }: PartsInput,
  options: Pick<PartOptions, "name" | "script" | "env" | "health">,
): Part {
  // In production a collector reads the output. Otherwise logs would bury what the user should read in the terminal.
  const logFile =
    settings.production || settings.dev
      ? undefined
      : path.join(settings.dataDir, "logs", `${options.name}.log`);
  const part = new Part({ ...options, root: settings.root, logFile, json: settings.production });
  lifetime.supervise({
    expectEnd: () => part.expectEnd(),
    end: () => part.end(),
    kill: () => part.kill(),
  });
  return part;
}

/** The demo's core gets nothing of our environment, as if it were an external system. */
function coreOptions(input: PartsInput) {
  const { settings, addresses } = input;
  const env: NodeJS.ProcessEnv = { NODE_ENV: "production", ...createCoreEnvironment(input, addresses) };
  return {
    name: "core",
    script: path.join(settings.root, "examples/core/server.mjs"),
    env,
    health: `http://127.0.0.1:${addresses.corePort}/health`,
  };
}

function createCoreEnvironment(
  { settings, secrets }: PartsInput,
  addresses: Addresses,
): Record<string, string> {
  const tenants = Object.entries(secrets.coreCredentials).map(
    ([hostName, credential]) => [hostName, { credential }] as const,
  );
  return {
    PATH: settings.env.PATH ?? "",
    CORE_PORT: String(addresses.corePort),
    CORE_HOSTS: addresses.coreHosts,
    CORE_URL: addresses.coreUrl,
    CORE_GATEWAY: addresses.gatewayUrl,
    CORE_TENANTS: JSON.stringify(Object.fromEntries(tenants)),
    CORE_FILE: path.join(settings.dataDir, "core.json"),
  };
}

/** Whether this database has or gets the demo: only one that was unused at its first start, and never in production. */
async function wantsDemo(platform: Platform, settings: Settings, secrets: Secrets): Promise<boolean> {
  if (settings.production) return false;
  if (secrets.demo === undefined && (await isUnused(platform))) {
    secrets.demo = "begun";
    await writeSecrets(settings.dataDir, secrets);
  }
  return secrets.demo !== undefined;
}

/** Seeds the demo if that is not done yet, and updates its tenants to the core's current address. */
async function startDemo(
  platform: Platform,
  { root, dataDir, env }: Settings,
  secrets: Secrets,
  { coreUrl, corePort, demoInContainers }: Addresses,
): Promise<void> {
  await moveDemoTenants(platform, coreUrl);
  if (env.PLATFORM_SANDBOX_CORE_URL === undefined) await moveSandboxes(platform, coreUrl);
  if (secrets.demo !== "begun") return;
  await seedDemo(platform, {
    coreUrl,
    examplesFolder: path.join(root, "examples"),
    buildImage: demoInContainers ? (app) => buildExampleImage(root, app) : undefined,
    launchMs: 60_000,
    report: (message) => console.log(message),
    setUpTenant: async (hostName, credential) => {
      secrets.coreCredentials[hostName] = credential;
      await writeSecrets(dataDir, secrets);
      const url = `http://127.0.0.1:${corePort}/tenants/${hostName}`;
      const response = await fetch(url, { method: "PUT", body: JSON.stringify({ credential }) });
      if (!response.ok)
        throw new Error(
          `the demo's core returned ${response.status} when it was given the tenant ${hostName}`,
        );
    },
  });
  secrets.demo = "usable";
  await writeSecrets(dataDir, secrets);
}

/** Adds the rest of the demo in the background, if that is not done yet. Returns a function that ends it. */
export function growInBackground(
  platform: Platform,
  { root, dataDir }: Settings,
  secrets: Secrets,
): () => Promise<void> {
  const ending = new AbortController();
  const folders = {
    examplesFolder: path.join(root, "examples"),
    picturesFolder: path.join(root, "demo/pictures"),
  };
  const growing = async () => {
    const growth = { ...folders, signal: ending.signal, report: (message: string) => console.log(message) };
    if (secrets.demo !== "usable" || !(await growDemo(platform, growth))) return;
    secrets.demo = "done";
    await writeSecrets(dataDir, secrets);
  };
  // The platform works without it, and the next start tries again.
  const grown = growing().catch((error: unknown) => {
    if (!ending.signal.aborted) console.error("The demo could not be completed:", error);
  });
  return () => {
    ending.abort();
    return grown;
  };
}

import path from "node:path";
import { DEMO_ACCOUNTS, type DemoAccount } from "@/lib/server/demo/accounts";
import { countReady } from "@/lib/server/instances/queries";
import { readEnvironment } from "@/lib/server/platform/environment";
import { createPlatform, type Platform } from "@/lib/server/platform/platform";
import type { Addresses, Settings } from "./settings";
import type * as buildSteps from "./build.mjs";
import { endContainers } from "./containers";
import type { Secrets } from "./data-folder/secrets";
import { startDemo, wantsDemo } from "./demo";
import type { RunningApps } from "./describe-apps";
import type { Lifetime } from "./lifetime";
import { Part, type PartOptions } from "./part";
import { watchEngine } from "./watch-engine";

export interface PartsInput {
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
  lifetime.own(() => platform.pool.end());
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
      env: { ...env, ...sandboxes, ...more },
    });
  const gateway = create("gateway");
  if (!settings.production) lifetime.own(() => endContainers(settings.dataDir));
  const worker = create("worker");
  const web = create("web", {
    NODE_ENV: settings.dev ? "development" : "production",
    PLATFORM_DEV: settings.dev ? "1" : "0",
    NEXT_TELEMETRY_DISABLED: "1",
  });

  const [workerReady] = await Promise.all([
    worker.start(),
    web.start(),
    Promise.all([gateway.start(), core?.start()]).then(() =>
      hasDemo ? startDemo(platform, settings, secrets, addresses) : undefined,
    ),
  ]);
  if (settings.dev) await restartOnChange(input, { gateway, worker });
  if (!settings.production && env.PLATFORM_RUNTIME !== "process" && addresses.stateListen === "") {
    const demo = core && { core, createCoreEnvironment: (to: Addresses) => createCoreEnvironment(input, to) };
    lifetime.own(watchEngine({ platform, settings, secrets, addresses, gateway, worker, web, demo }));
  }
  const running = await countReady(platform.db);
  return { platform, workerReady, running, accounts: hasDemo ? DEMO_ACCOUNTS : [] };
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
  const part = new Part({ ...options, root: settings.root, logFile });
  lifetime.own(
    () => part.end(),
    () => part.kill(),
  );
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

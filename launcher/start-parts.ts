import path from "node:path";
import { DEMO_ACCOUNTS, type DemoAccount } from "@/lib/server/demo/accounts";
import { readEnvironment } from "@/lib/server/platform/environment";
import { createPlatform } from "@/lib/server/platform/platform";
import { isolationOf } from "./box";
import { endContainers } from "./end-containers";
import { startDemo, wantsDemo } from "./demo";
import type { Lifetime } from "./lifetime";
import { emptyLog, Part } from "./part";
import type { Secrets } from "./secrets";
import type { Addresses, Settings } from "./settings";

export interface PartsOrder {
  settings: Settings;
  secrets: Secrets;
  addresses: Addresses;
  env: NodeJS.ProcessEnv;
  lifetime: Lifetime;
}

export interface Started {
  isolation: string;
  /** Empty when there is no demo on this database. */
  accounts: readonly DemoAccount[];
}

/** Web, gateway and worker, and on a database for show the demo with its core. Resolves when all are ready. */
export async function startParts(given: PartsOrder): Promise<Started> {
  const { settings, secrets, addresses, lifetime } = given;
  const platform = createPlatform(
    { ...readEnvironment(given.env), PLATFORM_LOG_LEVEL: "silent" },
    "launcher",
  );
  lifetime.own(() => platform.pool.end());
  const core = (await wantsDemo(platform, settings, secrets)) ? own(lifetime, corePart(given)) : undefined;
  // Where the demo's core runs, it serves the sandboxes too.
  const order = core === undefined ? given : { ...given, env: withSandboxes(given.env, addresses) };

  const gateway = own(lifetime, part(order, "gateway"));
  if (!settings.production) lifetime.own(() => endContainers(settings.dataDir));
  const worker = own(lifetime, part(order, "worker"));
  const web = own(
    lifetime,
    part(order, "web", {
      NODE_ENV: settings.dev ? "development" : "production",
      PLATFORM_DEV: settings.dev ? "1" : "0",
      NEXT_TELEMETRY_DISABLED: "1",
    }),
  );

  const [, , workerReady] = await Promise.all([
    Promise.all([gateway.start(), core?.start()]).then(() =>
      core === undefined ? undefined : startDemo(platform, settings, secrets, addresses),
    ),
    web.start(),
    worker.start(),
  ]);
  return { isolation: isolationOf(workerReady), accounts: core === undefined ? [] : DEMO_ACCOUNTS };
}

function withSandboxes(env: NodeJS.ProcessEnv, { coreUrl }: Addresses): NodeJS.ProcessEnv {
  return { ...env, PLATFORM_SANDBOX_CORE_URL: env.PLATFORM_SANDBOX_CORE_URL ?? coreUrl };
}

function own(lifetime: Lifetime, part: Part): Part {
  lifetime.own(
    () => part.end(),
    () => part.kill(),
  );
  return part;
}

function part({ settings, env }: PartsOrder, name: string, more: Partial<NodeJS.ProcessEnv> = {}): Part {
  const script = path.join(settings.root, ".build", `${name}.js`);
  return new Part({
    name,
    script,
    root: settings.root,
    env: { ...env, ...more },
    logFile: logFileOf(settings, name),
  });
}

/** The demo's core gets nothing of our environment: it is somebody else's system. */
function corePart({ settings, secrets, addresses }: PartsOrder): Part {
  const tenants = Object.entries(secrets.coreCredentials).map(
    ([hostName, credential]) => [hostName, { credential }] as const,
  );
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    PATH: settings.env.PATH,
    CORE_PORT: String(addresses.corePort),
    CORE_HOSTS: addresses.coreHosts,
    CORE_URL: addresses.coreUrl,
    CORE_GATEWAY: addresses.gatewayUrl,
    CORE_TENANTS: JSON.stringify(Object.fromEntries(tenants)),
    CORE_FILE: path.join(settings.dataDir, "core.json"),
  };
  const script = path.join(settings.root, "examples/core/server.mjs");
  const health = `http://127.0.0.1:${addresses.corePort}/health`;
  return new Part({
    name: "core",
    script,
    root: settings.root,
    env,
    logFile: logFileOf(settings, "core"),
    health,
  });
}

/** In production logs go to the output, where a collector finds them; at home they would drown what a person should read. */
function logFileOf(settings: Settings, name: string): string | undefined {
  if (settings.production || settings.dev) return undefined;
  const file = path.join(settings.dataDir, "logs", `${name}.log`);
  emptyLog(file);
  return file;
}

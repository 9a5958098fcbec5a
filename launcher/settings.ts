/** What the launcher reads from its environment, and what it hands to the parts. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { ContainerAddress } from "./container-addresses";
import { claimPort, freePort } from "./ports";
import { Refusal } from "./refusal";
import { type Secrets, writeSecrets } from "./secrets";

export interface Settings {
  root: string;
  dev: boolean;
  production: boolean;
  dataDir: string;
  /** Of a PostgreSQL that somebody else runs; undefined starts the embedded one. */
  databaseUrl: string | undefined;
  env: NodeJS.ProcessEnv;
}

export function readSettings(root: string, dev: boolean): Settings {
  const file = path.join(root, ".env");
  // What is set already wins over the file.
  if (existsSync(file)) process.loadEnvFile(file);
  const env = process.env;
  const production = env.NODE_ENV === "production" && !dev;
  if (production && env.DATABASE_URL !== undefined && env.PLATFORM_MASTER_KEYS === undefined) {
    throw new Refusal(
      "In production, set PLATFORM_MASTER_KEYS: all processes that share the database need the same keys.\n" +
        `Make one with: node -e "console.log('k1:' + require('crypto').randomBytes(32).toString('base64url'))"`,
    );
  }
  const dataDir = path.resolve(root, env.PLATFORM_DATA_DIR ?? ".data");
  return { root, dev, production, dataDir, databaseUrl: env.DATABASE_URL || undefined, env };
}

export interface Addresses {
  webPort: number;
  webUrl: string;
  gatewayPort: number;
  gatewayUrl: string;
  /** Empty without a container engine. */
  stateListen: string;
  stateApiOfContainers: string;
  coreHosts: string;
  corePort: number;
  coreUrl: string;
  /** The demo's apps are made as images, for an engine that can reach the demo's core. */
  demoInContainers: boolean;
}

/** Refuses ports that are in use before anything is started on them. */
export async function chooseAddresses(
  settings: Settings,
  secrets: Secrets,
  container: ContainerAddress | undefined,
): Promise<Addresses> {
  const { env, dataDir } = settings;
  const webPort = await claimPort(
    "the web part",
    "PLATFORM_WEB_PORT",
    env.PLATFORM_WEB_HOST ?? "127.0.0.1",
    portOf(env, "PLATFORM_WEB_PORT", 3000),
  );
  const gatewayHost = env.PLATFORM_GATEWAY_HOST ?? "127.0.0.1";
  const gatewayPort = await claimPort(
    "the gateway",
    "PLATFORM_GATEWAY_PORT",
    gatewayHost,
    portOf(env, "PLATFORM_GATEWAY_PORT", 4000),
  );
  const host = container?.listen ?? "127.0.0.1";
  const state = await freePort(host, secrets.ports.state);
  const corePort = await freePort(host, secrets.ports.core);
  secrets.ports = { ...secrets.ports, state, core: corePort };
  await writeSecrets(dataDir, secrets);
  return {
    webPort,
    webUrl: env.PLATFORM_WEB_URL ?? `http://localhost:${webPort}`,
    gatewayPort,
    gatewayUrl: env.PLATFORM_GATEWAY_URL ?? `http://127.0.0.1:${gatewayPort}`,
    stateListen: env.PLATFORM_STATE_LISTEN ?? (container === undefined ? "" : `${host}:${state}`),
    stateApiOfContainers:
      env.PLATFORM_STATE_API_CONTAINER ??
      (container === undefined ? "" : `http://${container.reach}:${state}`),
    coreHosts: host === "127.0.0.1" ? host : `127.0.0.1,${host}`,
    corePort,
    coreUrl: `http://${container?.shared === true ? container.reach : "127.0.0.1"}:${corePort}`,
    demoInContainers: container?.shared === true,
  };
}

/** The environment of gateway, worker and web. */
export function environmentOfParts(
  settings: Settings,
  secrets: Secrets,
  addresses: Addresses,
  databaseUrl: string,
): NodeJS.ProcessEnv {
  return {
    ...settings.env,
    NODE_ENV: settings.production ? "production" : "development",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: settings.env.PLATFORM_MASTER_KEYS ?? secrets.masterKeys,
    PLATFORM_DATA_DIR: settings.dataDir,
    PLATFORM_WEB_PORT: String(addresses.webPort),
    PLATFORM_WEB_URL: addresses.webUrl,
    PLATFORM_GATEWAY_PORT: String(addresses.gatewayPort),
    PLATFORM_GATEWAY_URL: addresses.gatewayUrl,
    PLATFORM_STATE_LISTEN: addresses.stateListen,
    PLATFORM_STATE_API_CONTAINER: addresses.stateApiOfContainers,
    PLATFORM_PRIVATE_CORES: settings.env.PLATFORM_PRIVATE_CORES ?? (settings.production ? "0" : "1"),
  };
}

function portOf(env: NodeJS.ProcessEnv, name: string, standard: number): number {
  const port = Number(env[name] ?? standard);
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
  throw new Refusal(`${name} is '${env[name]}'. Set it to a port from 1 to 65535.`);
}

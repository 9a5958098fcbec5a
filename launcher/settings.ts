import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import tls from "node:tls";
import { readEnvironment, warnOfUnknown } from "@/lib/server/platform/environment";
import { readKeyring } from "@/lib/server/platform/keyring";
import { type Secrets, StartError } from "./data-folder/secrets";

export interface Addresses {
  webPort: number;
  webUrl: string;
  gatewayPort: number;
  gatewayUrl: string;
  /** Empty without a container engine. */
  stateListen: string;
  containerStateApi: string;
  coreHosts: string;
  corePort: number;
  coreUrl: string;
  /** The demo's apps are built as images if containers can reach the demo's core. */
  demoInContainers: boolean;
}

export interface Settings {
  root: string;
  dev: boolean;
  production: boolean;
  dataDir: string;
  /** Of an external PostgreSQL; undefined starts the embedded one. */
  databaseUrl: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** From the environment, then from `.env`. */
export function readSettings(root: string, dev: boolean): Settings {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const env = process.env;
  if (env.NODE_EXTRA_CA_CERTS) trustCertificates(env.NODE_EXTRA_CA_CERTS);
  const production = env.NODE_ENV === "production" && !dev;
  if (production && env.DATABASE_URL !== undefined && env.PLATFORM_MASTER_KEYS === undefined) {
    throw new StartError(
      "In production, set PLATFORM_MASTER_KEYS. All processes that share the database need the same keys.\n" +
        `Create one with: node -e "console.log('k1:' + require('crypto').randomBytes(32).toString('base64url'))"`,
    );
  }
  return {
    root,
    dev,
    production,
    dataDir: readDataDir(root, env),
    databaseUrl: env.DATABASE_URL || undefined,
    env,
  };
}

/**
 * Node reads NODE_EXTRA_CA_CERTS only when a process starts: parts do, but this process has started before `.env`, or the file of
 * `node --env-file`, was read. Connections of this process get the certificates as the default of all TLS contexts. A file that can't be
 * read, which Node only warns of, ends the start.
 */
export function trustCertificates(file: string): void {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(
      `NODE_EXTRA_CA_CERTS names ${file}, which can't be read (${error instanceof Error ? error.message : String(error)}).\n` +
        "Write the path of a PEM file with the certificates of your CAs.",
    );
  }
  const create = tls.createSecureContext;
  tls.createSecureContext = (options) => {
    const context = create(options);
    if (options?.ca === undefined)
      for (const [certificate] of text.matchAll(CERTIFICATE)) context.context.addCACert(certificate);
    return context;
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g;

export function readDataDir(root: string, env: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(root, env.PLATFORM_DATA_DIR ?? ".data");
}

/** What changes when a container engine appears. */
export function createContainerSettings(addresses: Addresses): Record<string, string> {
  return {
    PLATFORM_STATE_LISTEN: addresses.stateListen,
    PLATFORM_STATE_API_CONTAINER: addresses.containerStateApi,
    PLATFORM_EXAMPLES_IN_CONTAINERS: addresses.demoInContainers ? "1" : "0",
  };
}

/** Before anything is built or started. Throws a StartError that names each invalid setting, and warns of unknown ones. */
export function requireValidSettings(partEnvironment: NodeJS.ProcessEnv): void {
  for (const warning of warnOfUnknown(partEnvironment)) console.warn(warning);
  try {
    readKeyring(readEnvironment(partEnvironment).PLATFORM_MASTER_KEYS);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
}

/** The environment of gateway, worker, and web. */
export function createPartEnvironment(
  { env, production, dataDir }: Settings,
  secrets: Secrets,
  addresses: Addresses,
  databaseUrl: string,
): NodeJS.ProcessEnv {
  return {
    ...env,
    NODE_ENV: production ? "production" : "development",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: env.PLATFORM_MASTER_KEYS ?? secrets.masterKeys,
    PLATFORM_DATA_DIR: dataDir,
    PLATFORM_WEB_PORT: String(addresses.webPort),
    PLATFORM_WEB_URL: addresses.webUrl,
    PLATFORM_GATEWAY_PORT: String(addresses.gatewayPort),
    PLATFORM_GATEWAY_URL: addresses.gatewayUrl,
    ...createContainerSettings(addresses),
    PLATFORM_PRIVATE_CORES: env.PLATFORM_PRIVATE_CORES ?? (production ? "0" : "1"),
  };
}

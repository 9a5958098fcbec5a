import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import tls from "node:tls";
import { listKeysInUse } from "@/lib/server/platform/check-keyring";
import { connectDatabase } from "@/lib/server/platform/database/connect";
import { probeStore } from "@/lib/server/images/probe-store";
import { type Environment, readEnvironment, warnOfUnknown } from "@/lib/server/platform/environment";
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
export async function readSettings(root: string, dev: boolean): Promise<Settings> {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const env = process.env;
  if (env.NODE_EXTRA_CA_CERTS) trustCertificates(env.NODE_EXTRA_CA_CERTS);
  const production = env.NODE_ENV === "production" && !dev;
  if (production && env.DATABASE_URL && !env.PLATFORM_MASTER_KEYS)
    throw new StartError(await explainMissingKeys(env.DATABASE_URL));
  return {
    root,
    dev,
    production,
    dataDir: readDataDir(root, env),
    databaseUrl: env.DATABASE_URL || undefined,
    env,
  };
}

/** A new key for a database in use would open nothing of it. */
async function explainMissingKeys(databaseUrl: string): Promise<string> {
  const { pool, db } = connectDatabase(databaseUrl, () => undefined);
  // It may be away, or have no tables yet.
  const ids = await listKeysInUse(db).catch(() => []);
  await pool.end();
  const problem = "PLATFORM_MASTER_KEYS is not set.";
  const help = "See docs/keys.md.";
  if (ids.length > 0)
    return `${problem} This database is protected by the master key ${ids.map((id) => `'${id}'`).join(" and ")}: set it again. A new key can't open what it encrypted. ${help}`;
  return (
    `${problem} All processes that share the database need the same keys.\n` +
    "If the database is in use, set its keys again. Only for a new database, create one with: " +
    `node -e "console.log('k1:' + require('crypto').randomBytes(32).toString('base64url'))"\n${help}`
  );
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

/** Says once why the registry can't be used. Without it, the platform still serves pages and what runs already. */
export async function warnOfRegistry(environment: Environment): Promise<void> {
  const { name, problem } = await probeStore(environment);
  if (name !== "registry" || problem === null) return;
  console.warn(
    `The image registry ${environment.PLATFORM_REGISTRY_URL} can't be used: ${problem} Until then, apps whose images are not on this machine can't start, and versions can't be published.`,
  );
}

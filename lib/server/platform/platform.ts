import type { Pool, PoolConfig } from "pg";
import pino, { type Logger } from "pino";
import { connectDatabase, type Database, redactQueryError } from "./database/connect";
import { endHangingConnections } from "./database/end-hanging";
import type { Environment } from "./environment";
import { type Keyring, readKeyring } from "./keyring";
import { createMetrics, type Metric, type Metrics } from "./metrics";
import { createTraces, type Traces } from "./traces";
import { redactKeys } from "./redaction/redact-keys";
import { reportFailure } from "./database/repeated-failures";

/** What the services of a process are made of. */
export interface Foundation extends Database {
  environment: Environment;
  keyring: Keyring;
  log: Logger;
  metrics: Metrics;
  traces: Traces;
}

/**
 * What a process keeps between requests: caches, buffers, and statements that requests share. Each is declared beside the function
 * that creates it, so that no context needs to know those above it; `lib/server/surface/create-platform.ts` creates all of them.
 */
export interface Services {
  /** Writes what is written behind the requests, and ends the services' own database connections. */
  close: () => Promise<void>;
}

/** What every server function needs. Created once per process and passed along. */
export interface Platform extends Foundation {
  services: Services;
}

export const LOG_SERIALIZERS = {
  err: (error: unknown) => {
    const redacted = redactQueryError(error);
    return redacted instanceof Error ? pino.stdSerializers.errWithCause(redacted) : redacted;
  },
};

export function createFoundation(environment: Environment, part: string): Foundation {
  const log = pino({
    name: part,
    level: environment.PLATFORM_LOG_LEVEL,
    base: { part },
    serializers: LOG_SERIALIZERS,
    redact: ["*.password", "*.authorization", "*.cookie", "*.secret"],
    // Reasons and errors may quote an app.
    hooks: { streamWrite: redactKeys },
  });
  const keyring = readKeyring(environment.PLATFORM_MASTER_KEYS);
  const metrics = createMetrics();
  return {
    ...connect({ environment, log, metrics }, "main"),
    environment,
    keyring,
    log,
    metrics,
    traces: createTraces(),
  };
}

/** How long a connection may idle: a shorter time looks up the server's name and shakes hands again after each quiet moment. */
const IDLE_MS = 5 * 60_000;

/** Database connections of their own, for work that must never wait for others' queries. */
export function connect(
  { environment, log, metrics }: Pick<Foundation, "environment" | "log" | "metrics">,
  name: PoolName,
  options?: PoolConfig,
): Database {
  const warn = (err: Error) =>
    reportFailure(log, "connections", { err, level: "warn", message: "database connection lost" });
  const database = connectDatabase(environment.DATABASE_URL, warn, {
    max: environment.PLATFORM_DATABASE_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    // What `pg_stat_activity` shows.
    application_name: `app-hosting ${log.bindings().part}`,
    ...options,
  });
  endHangingConnections({ pool: database.pool, log });
  measurePool(metrics, name, database.pool);
  return database;
}

/** Whose connections they are: `calls`, `events` and `state` are the gateway's; the last ones are for statements that requests share. */
const POOLS = ["main", "calls", "events", "state", "core-calls", "state-reads", "metrics"] as const;
export type PoolName = (typeof POOLS)[number];

const CONNECTIONS: Metric<"pool" | "state"> = {
  name: "platform_database_connections",
  type: "gauge",
  help: "Open database connections",
  labels: { pool: POOLS, state: ["busy", "idle"] },
};

const CONNECTIONS_MAX: Metric<"pool"> = {
  name: "platform_database_connections_max",
  type: "gauge",
  help: "The maximum number of connections in the pool",
  labels: { pool: POOLS },
};

const WAITING: Metric<"pool"> = {
  name: "platform_database_waiting",
  type: "gauge",
  help: "Requests that are waiting for a database connection",
  labels: { pool: POOLS },
};

export const POOL_METRICS = [CONNECTIONS, CONNECTIONS_MAX, WAITING];

function measurePool(metrics: Metrics, name: PoolName, pool: Pool): void {
  metrics.read(CONNECTIONS, () =>
    pool.ended
      ? undefined
      : [
          { labels: { pool: name, state: "busy" }, value: pool.totalCount - pool.idleCount },
          { labels: { pool: name, state: "idle" }, value: pool.idleCount },
        ],
  );
  const each = (read: () => number) => () =>
    pool.ended ? undefined : [{ labels: { pool: name }, value: read() }];
  metrics.read(
    CONNECTIONS_MAX,
    each(() => pool.options.max),
  );
  metrics.read(
    WAITING,
    each(() => pool.waitingCount),
  );
}

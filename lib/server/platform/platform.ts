import type { PoolConfig } from "pg";
import pino, { type Logger } from "pino";
import { connectDatabase, type Database, redactQueryError } from "./database/connect";
import type { Environment } from "./environment";
import { type Keyring, readKeyring } from "./keyring";
import { redactKeys } from "./redaction/redact-keys";

/** What every server function needs. Created once per process and passed along. */
export interface Platform extends Database {
  environment: Environment;
  keyring: Keyring;
  log: Logger;
}

export const LOG_SERIALIZERS = {
  err: (error: unknown) => {
    const redacted = redactQueryError(error);
    return redacted instanceof Error ? pino.stdSerializers.errWithCause(redacted) : redacted;
  },
};

export function createPlatform(environment: Environment, part: string): Platform {
  const log = pino({
    name: part,
    level: environment.PLATFORM_LOG_LEVEL,
    base: { part },
    serializers: LOG_SERIALIZERS,
    redact: ["*.password", "*.authorization", "*.cookie", "*.secret"],
    // Reasons and errors may quote an app.
    hooks: { streamWrite: redactKeys },
  });
  const database = connect(environment, log);
  return { ...database, environment, keyring: readKeyring(environment.PLATFORM_MASTER_KEYS), log };
}

/** The same with database connections of its own, for work that must never wait for others' queries. */
export function withOwnPool(platform: Platform, options: PoolConfig): Platform {
  return { ...platform, ...connect(platform.environment, platform.log, options) };
}

function connect(environment: Environment, log: Logger, options?: PoolConfig): Database {
  const warn = (error: Error) => log.warn({ err: error }, "database connection lost");
  return connectDatabase(environment.DATABASE_URL, warn, options);
}

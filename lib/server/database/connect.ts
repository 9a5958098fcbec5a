import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";

/** A database or one of its transactions. Queries take either. */
export type Db = NodePgDatabase<Record<string, never>>;

export interface Database {
  db: Db;
  pool: pg.Pool;
}

/** Opens a pool that survives a restart of the server: broken connections are dropped, not thrown. */
export function connectDatabase(
  url: string,
  onError: (error: Error) => void,
  options: pg.PoolConfig = { max: 10 },
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    ...options,
  });
  pool.on("error", onError);
  // A connection lost inside a transaction emits the error on its client, where nothing else listens.
  pool.on("connect", (client) => client.on("error", onError));
  return { pool, db: Object.assign(drizzle(pool), { transaction: runTransactions(pool) }) };
}

/**
 * Drizzle's own `transaction` never releases the connection if `begin` fails, as it does after a restart of the server:
 * the pool runs out of connections (seen with drizzle-orm 0.45.4).
 */
function runTransactions(pool: pg.Pool) {
  return async function transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query("begin");
      const result = await work(inTransaction(client));
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => (broken = true));
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

/** A transaction within this one is a savepoint: it is undone alone, and kept only if this one commits. Drizzle's would commit both. */
function inTransaction(client: pg.PoolClient): Db {
  const tx = onConnection(client);
  const transaction = async <Result>(work: (tx: Db) => Promise<Result>): Promise<Result> => {
    await client.query("savepoint inner_transaction");
    try {
      const result = await work(tx);
      await client.query("release savepoint inner_transaction");
      return result;
    } catch (error) {
      // If the connection is lost, everything is undone anyway.
      await client.query("rollback to savepoint inner_transaction").catch(() => undefined);
      throw error;
    }
  };
  return Object.assign(tx, { transaction });
}

/** Queries that all use this connection. */
export function onConnection(client: pg.PoolClient): Db {
  return drizzle(client);
}

/** The SQLSTATE of a PostgreSQL error, also one wrapped by Drizzle. Undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  return databaseError(error)?.code;
}

/** The unique index that a write violated; undefined for any other error. */
export function violatedIndex(error: unknown): string | undefined {
  return sqlStateOf(error) === UNIQUE_VIOLATION ? databaseError(error)?.constraint : undefined;
}

function databaseError(error: unknown): pg.DatabaseError | undefined {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof pg.DatabaseError ? inner : undefined;
}

export const UNIQUE_VIOLATION = "23505";

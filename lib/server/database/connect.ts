import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";

/** A connection pool's database, or a transaction of it: queries take either. */
export type Db = NodePgDatabase<Record<string, never>>;

export interface Database {
  db: Db;
  pool: pg.Pool;
}

/** Opens a pool. It survives a restart of the server: broken connections are dropped, not thrown. */
export function connectDatabase(url: string, onError: (error: Error) => void, max = 10): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  pool.on("error", onError);
  // A connection that is cut inside a transaction says so on its client, where nobody else listens.
  pool.on("connect", (client) => client.on("error", onError));
  return { pool, db: Object.assign(drizzle(pool), { transaction: transactionsOf(pool) }) };
}

/**
 * Drizzle's own `transaction` never gives the connection back when its `begin` fails, as it does on a connection that a
 * restart of the server has cut: after as many of those as the pool is large, nothing goes on (seen with 0.45.4).
 */
function transactionsOf(pool: pg.Pool) {
  return async function transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query("begin");
      const result = await work(drizzle(client));
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

/** The SQLSTATE of a driver's error, which Drizzle wraps; undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof pg.DatabaseError ? inner.code : undefined;
}

export const UNIQUE_VIOLATION = "23505";

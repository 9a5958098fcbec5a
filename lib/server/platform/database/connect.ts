import { DrizzleQueryError, type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg, { type Pool, type QueryResultRow } from "pg";
import { Problem } from "@/lib/contract/platform/problem";
import { makeStorable } from "@/lib/contract/platform/text";
import { readPasswordFile } from "./password-file";

/** A database or one of its transactions. Queries take either. */
export type Db = NodePgDatabase<Record<string, never>>;

export interface Database {
  db: Db;
  pool: pg.Pool;
}

/**
 * A connection that takes its password from the file of `PGPASSFILE` whenever it connects, unless its URL has one. Left to itself, pg does the
 * same and prints a warning, because its next major version won't.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    if (!this.password) Object.assign(this, { password: readPasswordFile });
  }
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
    Client: DatabaseClient,
    ...options,
  });
  pool.on("error", onError);
  pool.on("connect", (client) => {
    // A connection lost inside a transaction emits the error on its client, where nothing else listens.
    client.on("error", onError);
    cleanParameters(client);
  });
  return { pool, db: Object.assign(drizzle(pool), { transaction: runTransactions(pool) }) };
}

/**
 * The border between text from outside and the database: PostgreSQL refuses a statement for a single NUL, such as one of an image, a
 * log, a header or an engine's error. Refusing what a person can correct is up to the shapes of `lib/contract`.
 */
function cleanParameters(client: pg.PoolClient): void {
  const query = (...args: unknown[]): unknown =>
    Reflect.apply(pg.Client.prototype.query, client, args.map(cleanArgument));
  Object.assign(client, { query });
}

/** `query` takes a text, or an object with its values, and then a list of values. */
function cleanArgument(argument: unknown): unknown {
  if (Array.isArray(argument)) return argument.map(cleanParameter);
  if (typeof argument !== "object" || argument === null) return argument;
  if (!("values" in argument) || !Array.isArray(argument.values)) return argument;
  // A query that is an object of its own, such as a cursor, keeps its class.
  return Object.assign(argument, { values: argument.values.map(cleanParameter) });
}

function cleanParameter(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? makeStorable(value) : value;
  return Array.isArray(value) ? value.map(cleanParameter) : value;
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

/** PostgreSQL refused a value itself, such as a number out of range: the same statement would fail again. */
export function isRefusedValue(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith("22") === true;
}

/** Locks a name until the transaction ends. False if another transaction has the lock. */
export async function tryLock(tx: Db, name: string): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`,
  );
  return rows[0]?.locked === true;
}

export const UNIQUE_VIOLATION = "23505";

const dialect = new PgDialect();

/**
 * Runs a statement that PostgreSQL parses and plans once for each connection. Its text must always be the same, apart from its
 * parameters. @param name of the prepared statement
 */
export async function runPrepared<Row extends QueryResultRow>(
  pool: Pool,
  name: string,
  statement: SQL,
): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  const { rows } = await pool.query<Row>({ name, text, values: params });
  return rows;
}

const QUERY_CANCELED = "57014";

/**
 * Reads in a transaction whose statements may each take this many milliseconds.
 * @throws UNAVAILABLE if one took longer
 */
export async function readWithin<Result>(
  db: Db,
  ms: number,
  read: (tx: Db) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${String(ms)}, true)`);
      return read(tx);
    });
  } catch (error) {
    if (sqlStateOf(error) !== QUERY_CANCELED) throw error;
    throw new Problem(
      "UNAVAILABLE",
      `The search took longer than ${ms / 1_000} seconds and was stopped. Choose a shorter time range, or try again.`,
    );
  }
}

/**
 * Keeps the parameters of failed queries (addresses, password hashes, payloads) out of logs and messages. Returns the error
 * itself if no query error is among its causes. Otherwise returns a copy with class, message, stack and causes, in which
 * queries have `$1` for values and PostgreSQL's messages don't quote any.
 */
export function redactQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || !hasQueryError(error)) return error;
  const message = redactMessage(error);
  const redacted = Object.assign(new Error(message), pickSchemaFacts(error));
  const end = error.stack?.indexOf(error.message) ?? -1;
  const frames = end === -1 ? "" : error.stack?.slice(end + error.message.length);
  redacted.stack = `${error.name}: ${message}${frames}`;
  Object.setPrototypeOf(redacted, Object.getPrototypeOf(error));
  if (error.cause !== undefined) redacted.cause = redactQueryError(error.cause);
  return redacted;
}

function hasQueryError(error: unknown): boolean {
  if (error instanceof DrizzleQueryError || error instanceof pg.DatabaseError) return true;
  return error instanceof Error && hasQueryError(error.cause);
}

/** Messages of class 22 quote values. */
function redactMessage(error: Error): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  if (!(error instanceof pg.DatabaseError) || error.code?.startsWith("22") !== true) return error.message;
  return error.message.replace(/".*"/s, '"…"');
}

/** `detail` and `where` quote rows; these fields only name parts of the schema. */
function pickSchemaFacts(error: Error): object {
  if (!(error instanceof pg.DatabaseError)) return "code" in error ? { code: error.code } : {};
  const { code, severity, table, column, constraint, routine } = error;
  return { code, severity, table, column, constraint, routine };
}

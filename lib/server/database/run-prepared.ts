import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Pool, QueryResultRow } from "pg";

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

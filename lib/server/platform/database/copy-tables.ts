/**
 * Reads and fills whole tables with COPY, for backups. The user owns the tables but need not be a superuser: foreign keys are dropped
 * and added again instead of switched off.
 */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg, { type ClientBase } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

export interface TableShape {
  name: string;
  /** Without those that PostgreSQL computes. */
  columns: string[];
}

export interface SequencePosition {
  name: string;
  /** A bigint. */
  value: string;
  /** Whether `value` was given out. */
  called: boolean;
}

/** Lets the connection wait for a slow disk or another transaction as long as it takes, whatever server and user set. */
export async function waitPatiently(client: ClientBase): Promise<void> {
  await client.query(`select set_config(name, '0', false) from pg_settings where name in (
    'statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout')`);
}

/** Throws if the connection was lost, and with it what it has locked. */
export async function requireConnection(client: ClientBase): Promise<void> {
  await client.query("select 1");
}

export async function commit(client: ClientBase): Promise<void> {
  await client.query("commit");
}

/** How values are written must not depend on the settings of a server, a database or a user. */
const FORMAT_SETTINGS = [
  "set local client_encoding = 'UTF8'",
  "set local datestyle = 'ISO, YMD'",
  "set local intervalstyle = 'postgres'",
  "set local extra_float_digits = 1",
  "set local bytea_output = 'hex'",
  "set local row_security = off",
  "set local synchronize_seqscans = off",
];

/** Begins a transaction in which all reads see the same state. Returns its time by the database's clock. */
export async function beginSnapshot(client: ClientBase): Promise<Date> {
  await client.query("begin isolation level repeatable read, read only");
  for (const setting of FORMAT_SETTINGS) await client.query(setting);
  const { rows } = await client.query<{ at: Date }>("select now() as at");
  return rows[0]?.at ?? new Date();
}

/** Begins a transaction that fills empty tables. */
export async function beginFilling(client: ClientBase): Promise<void> {
  await client.query("begin");
  for (const setting of FORMAT_SETTINGS) await client.query(setting);
}

const IS_TABLE = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** The platform's tables, by name. */
export async function readTables(client: ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where ${IS_TABLE} group by c.relname order by c.relname`);
  return rows;
}

/** Tables that have at least one row. */
export async function findFilledTables(client: ClientBase, tables: readonly TableShape[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await client.query(`select from ${toTable(name)} limit 1`);
    if (rowCount === 1) filled.push(name);
  }
  return filled;
}

export async function countRows(client: ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${toTable(name)}`);
  return Number(rows[0]?.count ?? 0);
}

/** Sequences have no snapshot: read them after it was taken, so that no row has a higher number. */
export async function readSequences(client: ClientBase): Promise<SequencePosition[]> {
  const { rows } = await client.query<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'public' order by 1",
  );
  const positions: SequencePosition[] = [];
  for (const { name } of rows) {
    const { rows: read } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${toTable(name)}`,
    );
    positions.push(...read.map((position) => ({ name, ...position })));
  }
  return positions;
}

/** The rows of a table, a line for each. @param condition in SQL, of the rows to read */
export function readRows(client: ClientBase, { name, columns }: TableShape, condition?: string): Readable {
  const list = toList(columns);
  const source =
    condition === undefined
      ? `${toTable(name)} (${list})`
      : `(select ${list} from ${toTable(name)} where ${condition})`;
  return client.query(copyTo(`copy ${source} to stdout`));
}

/**
 * Fills tables that nobody else may use until the transaction ends. Triggers don't run, because the rows are what they left. Indexes
 * are built afterwards, which takes a fraction of the time, and then every foreign key is checked.
 * @param open the rows of a table, as `readRows` returned them
 */
export async function fillTables(
  client: ClientBase,
  tables: readonly TableShape[],
  open: (table: TableShape) => AsyncIterable<Buffer>,
): Promise<void> {
  const foreignKeys = await readForeignKeys(client);
  const indexes = await readIndexes(client);
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${toTable(table)} drop constraint ${pg.escapeIdentifier(name)}`);
  for (const { name } of indexes) await client.query(`drop index ${toTable(name)}`);
  for (const { name } of tables) await client.query(`alter table ${toTable(name)} disable trigger user`);
  for (const table of tables) {
    const target = `${toTable(table.name)} (${toList(table.columns)})`;
    await pipeline(open(table), client.query(copyFrom(`copy ${target} from stdin`)));
  }
  for (const { definition } of indexes) await client.query(definition);
  for (const { table, name, definition } of foreignKeys)
    await client.query(
      `alter table ${toTable(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`,
    );
  for (const { name } of tables) await client.query(`alter table ${toTable(name)} enable trigger user`);
}

/** Keeps everyone else out until the transaction ends. */
export async function lockTables(client: ClientBase, tables: readonly TableShape[]): Promise<void> {
  const names = tables.map(({ name }) => toTable(name));
  await client.query(`lock table ${names.join(", ")} in access exclusive mode`);
}

export async function setSequences(
  client: ClientBase,
  positions: readonly SequencePosition[],
): Promise<void> {
  for (const { name, value, called } of positions)
    await client.query("select setval($1::regclass, $2::bigint, $3)", [toTable(name), value, called]);
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function readForeignKeys(client: ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and ${IS_TABLE} order by 1, 2`);
  return rows;
}

/** Those that are not part of a constraint. */
async function readIndexes(client: ClientBase): Promise<Omit<ForeignKey, "table">[]> {
  const { rows } = await client.query<Omit<ForeignKey, "table">>(`
    select i.relname as name, pg_get_indexdef(i.oid) as definition
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     where ${IS_TABLE} and not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
     order by 1`);
  return rows;
}

/** Statistics come with the first rows only when autovacuum gets to it. Until then, plans would be bad. */
export async function analyzeTables(client: ClientBase): Promise<void> {
  await client.query("analyze");
}

const toTable = (name: string) => `public.${pg.escapeIdentifier(name)}`;
const toList = (columns: readonly string[]) => columns.map((name) => pg.escapeIdentifier(name)).join(", ");

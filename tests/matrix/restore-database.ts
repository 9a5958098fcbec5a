import type { Platform } from "@/lib/server/platform/platform";

/** Remembers every row. @returns what brings the database back to this moment */
export async function rememberDatabase({ pool }: Platform): Promise<() => Promise<void>> {
  const { rows: tables } = await pool.query<{ table: string; columns: string }>(
    `select quote_ident(table_name) as table, string_agg(quote_ident(column_name), ', ') as columns
     from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
     where table_schema = 'public' and is_generated = 'NEVER' group by table_name`,
  );
  await pool.query("create schema remembered");
  for (const { table } of tables)
    await pool.query(`create table remembered.${table} as table public.${table}`);
  const columns = new Map(tables.map((each) => [each.table, each.columns]));
  // Most requests change few tables: comparing all of them is much cheaper than writing all of them.
  const compare = tables
    .map(
      ({ table }) =>
        `select '${table}' as table, md5(string_agg(t::text, '' order by t::text)) as digest from ${table} t`,
    )
    .join(" union all ");
  const readDigests = async () => {
    const { rows } = await pool.query<{ table: string; digest: string | null }>(compare);
    return new Map(rows.map(({ table, digest }) => [table, digest]));
  };
  const remembered = await readDigests();
  return async () => {
    const now = await readDigests();
    const changed = [...columns.keys()].filter((table) => now.get(table) !== remembered.get(table));
    if (changed.length === 0) return;
    // Without triggers, foreign keys demand no order. Sent together, the statements are one transaction.
    const statements = [
      "set local session_replication_role = replica",
      ...changed.map((table) => `delete from public.${table}`),
      ...changed.map((table) => {
        const names = columns.get(table) ?? "";
        return `insert into public.${table} (${names}) overriding system value select ${names} from remembered.${table}`;
      }),
    ];
    await pool.query(statements.join(";"));
  };
}

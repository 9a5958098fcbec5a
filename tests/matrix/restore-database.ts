import type { Platform } from "@/lib/server/platform/platform";

/** Remembers every row. @returns what brings the database back to this moment */
export async function rememberDatabase({ pool }: Platform): Promise<() => Promise<void>> {
  const { rows: tables } = await pool.query<{ table: string; columns: string }>(
    `select quote_ident(table_name) as table, string_agg(quote_ident(column_name), ', ') as columns
     from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
     where table_schema = 'public' and is_generated = 'NEVER' group by table_name`,
  );
  // Each table notes that it was written to: most requests change few, and comparing all of them takes longer than the request.
  await pool.query(`
    create schema remembered;
    create table remembered.writes (written text);
    create function remembered.note() returns trigger language plpgsql as $$
      begin insert into remembered.writes values (quote_ident(tg_table_name)); return null; end $$;
  `);
  for (const { table } of tables)
    await pool.query(`
      create table remembered.${table} as table public.${table};
      create trigger noted after insert or update or delete or truncate on public.${table}
        for each statement execute function remembered.note();
    `);
  const columns = new Map(tables.map((each) => [each.table, each.columns]));
  return async () => {
    const { rows: writes } = await pool.query<{ written: string }>(
      "delete from remembered.writes returning written",
    );
    const changed = [...new Set(writes.map(({ written }) => written))];
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

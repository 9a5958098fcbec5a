import { ilike, or, type AnyColumn, type SQL } from "drizzle-orm";

const LONGEST = 100;

/** What a search looks for, from an address, which people edit: PostgreSQL takes no NUL. Undefined: anything. */
export function searchText(typed: string | undefined): string | undefined {
  return typed?.replaceAll("\0", "").trim().slice(0, LONGEST) || undefined;
}

/** The text as it was typed, `%` and `_` too, stands somewhere in one of the columns. */
export function contains(search: string | undefined, ...columns: AnyColumn[]): SQL | undefined {
  if (search === undefined) return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}

import { ilike, or, type AnyColumn, type SQL } from "drizzle-orm";

const MAX_LENGTH = 100;

/** Cleans search text from a URL: PostgreSQL accepts no NUL. Undefined matches everything. */
export function searchText(typed: string | undefined): string | undefined {
  return typed?.replaceAll("\0", "").trim().slice(0, MAX_LENGTH) || undefined;
}

/** One of the columns contains the text, taken literally, including `%` and `_`. */
export function contains(search: string | undefined, ...columns: AnyColumn[]): SQL | undefined {
  if (search === undefined) return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}

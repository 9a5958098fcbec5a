import { ilike, or, sql, type AnyColumn, type SQL } from "drizzle-orm";

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

/** The words of a search: letters and digits, so that they have no meaning in PostgreSQL's query language. */
export function searchWords(search: string): string[] {
  return search.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A full-text column has a word that begins with this one, in any inflection. */
export function hasWord(vector: AnyColumn, word: string): SQL {
  return sql`${vector} @@ to_tsquery('english', ${`${word}:*`})`;
}

/** PostgreSQL leaves words such as "the" out of full-text columns, so that no search can find them. */
export function isStopWord(word: string): SQL {
  return sql`numnode(to_tsquery('english', ${word})) = 0`;
}

import { type AnyColumn, ilike, or, sql, type SQL } from "drizzle-orm";
import { canBeStored, isId } from "@/lib/contract/platform/text";
import { foldText, withoutHyphens } from "@/lib/domain/platform/text";

const MAX_LENGTH = 100;
const HYPHENS = "-‐'’";

/** Cleans search text from a URL: PostgreSQL accepts no NUL. Undefined matches everything. */
export function searchText(typed: string | undefined): string | undefined {
  return typed?.replaceAll("\0", "").trim().slice(0, MAX_LENGTH) || undefined;
}

/** One of the columns contains the text, taken literally, including `%` and `_`. For texts of programs, such as logs. */
export function contains(search: string | undefined, ...columns: AnyColumn[]): SQL | undefined {
  if (search === undefined) return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}

/** One of the columns contains the text, whatever its accents, width and hyphens. For what people wrote. */
export function containsFolded(search: string | undefined, ...columns: AnyColumn[]): SQL | undefined {
  if (search === undefined) return undefined;
  const folded = foldText(search);
  const isIn = (column: AnyColumn) =>
    sql`strpos(translate(fold_text(${column}), ${HYPHENS}, ''), ${withoutHyphens(folded)}) > 0`;
  return withoutHyphens(folded) === "" ? contains(search, ...columns) : or(...columns.map(isIn));
}

/**
 * A position in a list that is sorted by a text, then by id. It contains the text, so that the next page continues where this one ended
 * even if the row was renamed or deleted meanwhile.
 */
export interface TextCursor {
  id: string;
  text: string;
}

/** For the URL. */
export function writeTextCursor({ id, text }: TextCursor): string {
  return `${id}~${text}`;
}

/** Undefined, which means the first page, for anything that isn't a cursor. */
export function readTextCursor(written: string | undefined): TextCursor | undefined {
  const [id = "", ...rest] = (written ?? "").split("~");
  const text = rest.join("~");
  return isId(id) && rest.length > 0 && canBeStored(text) ? { id, text } : undefined;
}

/** After this position, in ascending order. */
export function isAfter(cursor: TextCursor | undefined, text: AnyColumn, id: AnyColumn): SQL | undefined {
  return cursor && sql`(${text}, ${id}) > (${cursor.text}::text, ${cursor.id}::uuid)`;
}

/**
 * A position in a list that is sorted by a moment, then by id. It contains the moment, so that the next page continues where this one
 * ended even if the row has another moment by then, or is deleted.
 */
export interface MomentCursor {
  id: string;
  /** As PostgreSQL writes it, because JavaScript's dates lose its microseconds; or ISO 8601. */
  at: string;
}

const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:\d\d)?)$/;

/** For the URL. */
export function writeMomentCursor({ id, at }: MomentCursor): string {
  return `${at}~${id}`;
}

/** Undefined, which means the first page, for anything that isn't a cursor. */
export function readMomentCursor(written: string | undefined): MomentCursor | undefined {
  const [at = "", id = ""] = (written ?? "").split("~");
  return MOMENT.test(at) && !Number.isNaN(Date.parse(at)) && isId(id) ? { at, id } : undefined;
}

/** The moment of a row, for a cursor. */
export function cursorMoment(at: AnyColumn): SQL<string> {
  return sql<string>`${at}::text`;
}

/** After this position, in the order of the list. */
export function isAfterMoment(
  cursor: MomentCursor | undefined,
  at: AnyColumn,
  id: AnyColumn,
  order: "ascending" | "descending",
): SQL | undefined {
  const operator = order === "ascending" ? sql`>` : sql`<`;
  return cursor && sql`(${at}, ${id}) ${operator} (${cursor.at}::timestamptz, ${cursor.id}::uuid)`;
}

/**
 * The words of a search, each with what else it may be written as: letters and digits, so that they have no meaning in PostgreSQL's query
 * language. A compound is one word or its parts: `e-mail` is `email` or `e mail`.
 */
export function searchWords(search: string): string[][] {
  return (foldText(search).match(/[\p{L}\p{N}]+(?:[-‐'’][\p{L}\p{N}]+)*/gu) ?? []).map((word) => {
    const parts = word.split(/[-‐'’]/);
    return parts.length === 1 ? [word] : [parts.join(""), parts.join(" ")];
  });
}

/** In PostgreSQL's query language: a word of each group. A space within a word stands for both of its parts. */
export function writeWordsQuery(groups: readonly (readonly string[])[]): string {
  const write = (word: string) => (word.includes(" ") ? `(${word.replaceAll(" ", " & ")})` : word);
  return groups.map((words) => `(${words.map(write).join(" | ")})`).join(" & ");
}

/**
 * A full-text column has a word of each group, in any inflection or as it is written. Whole words only: PostgreSQL knows how
 * common those are, and plans by it. Of prefixes it knows nothing.
 */
export function hasWords(vector: AnyColumn, groups: readonly (readonly string[])[]): SQL {
  const query = writeWordsQuery(groups);
  return sql`(${vector} @@ (to_tsquery('english', ${query}) || to_tsquery('simple', ${query})))`;
}

/** Buckets begin at multiples of their length since this moment, as `listBuckets` counts them. */
const ORIGIN = sql`timestamptz '2000-01-03 00:00:00Z'`;

/** When the bucket of a moment begins. */
export function timeBucket(bucketMs: number, moment: unknown): SQL<Date> {
  return sql<Date>`date_bin(${sql.raw(`interval '${bucketMs} milliseconds'`)}, ${moment}, ${ORIGIN})`;
}

/** As `firstIdAt`, of a moment that only the database knows. */
export function firstIdOf(moment: SQL): SQL {
  return sql`rpad(lpad(to_hex(floor(extract(epoch from ${moment}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;
}

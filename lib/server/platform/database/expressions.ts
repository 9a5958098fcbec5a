import { and, type AnyColumn, or, sql, type SQL } from "drizzle-orm";
import { foldText, listSpellings, listTypedWords, withoutHyphens } from "@/lib/domain/platform/text";

const MAX_LENGTH = 100;

/** Cleans search text from a URL: PostgreSQL accepts no NUL. Undefined matches everything. */
export function searchText(typed: string | undefined): string | undefined {
  return typed?.replaceAll("\0", "").trim().slice(0, MAX_LENGTH) || undefined;
}

/** One of the columns contains the text, as `hasTypedText` compares them. For texts of programs, such as logs. */
export function contains(search: string | undefined, ...columns: AnyColumn[]): SQL | undefined {
  if (search === undefined) return undefined;
  const wanted = withoutHyphens(search);
  return wanted === ""
    ? or(...columns.map((column) => sql`strpos(${column}, ${search}) > 0`))
    : isInOne(wanted, columns);
}

/** Each word of the text is in one of the columns, as `hasTypedWords` compares them. For what people wrote. */
export function containsFolded(search: string | undefined, ...columns: AnyColumn[]): SQL | undefined {
  const words = listTypedWords(search ?? "");
  if (words.length === 0) return contains(search, ...columns);
  const isFound = (spelling: string) => and(...spelling.split(" ").map((part) => isInOne(part, columns)));
  return and(...words.map((spellings) => or(...spellings.map(isFound))));
}

/** Without `-` and `'`, the only hyphen and apostrophe of folded texts. */
function isInOne(wanted: string, columns: AnyColumn[]): SQL | undefined {
  const isIn = (column: AnyColumn) =>
    sql`strpos(replace(replace(fold_text(${column}), '-', ''), '''', ''), ${wanted}) > 0`;
  return or(...columns.map(isIn));
}

/**
 * The words of a search, each with what else it may be written as: letters and digits, so that they have no meaning in PostgreSQL's query
 * language. A compound is one word or its parts: `e-mail` is `email` or `e mail`.
 */
export function searchWords(search: string): string[][] {
  return (foldText(search).match(/[\p{L}\p{N}]+(?:[-']+[\p{L}\p{N}]+)*/gu) ?? []).map(listSpellings);
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

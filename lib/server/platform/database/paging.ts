/**
 * Pages of a list, forward and back. A cursor is the place of a row in the order of the list, not how many rows come before it: rows that
 * are added or deleted meanwhile move nothing, so going to the next page or back to the previous one skips no row and repeats none.
 */
import { type AnyColumn, asc, desc, sql, type SQL } from "drizzle-orm";
import type { Pages } from "@/lib/contract/platform/pages";
import { canBeStored, isId } from "@/lib/contract/platform/text";

export type Order = "ascending" | "descending";

/** Where a page begins, or, backward, where it ends. The row of the cursor itself is on the page beside it. */
export interface Position<Cursor> {
  cursor: Cursor;
  isBackward?: boolean;
}

/** How a list's cursor is written in its links. */
export interface CursorKind<Cursor, Row> {
  /** Undefined, which means the first page, for anything that isn't a cursor. */
  read: (written: string) => Cursor | undefined;
  write: (row: Row) => string;
}

/** Precedes the cursor of a page that ends there. */
const BACKWARD = "before:";

/**
 * The page of a list that a link names. `select` returns rows from a position on, the nearest first: in the order of the list, or in
 * reverse if the position is backward.
 */
export async function readPage<Row, Cursor>(
  written: string | undefined,
  size: number,
  kind: CursorKind<Cursor, Row>,
  select: (position: Position<Cursor> | undefined, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[] } & Pages> {
  const position = readPosition(written, kind);
  const isBackward = position?.isBackward === true;
  const found = await select(position, size + 1);
  const hasMore = found.length > size;
  // Too few for a page are left before it. The first page begins with them.
  if (isBackward && !hasMore) return readPage(undefined, size, kind, select);
  const rows = found.slice(0, size);
  if (isBackward) rows.reverse();
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    isFirst: position === undefined,
    previous: position === undefined || first === undefined ? undefined : BACKWARD + kind.write(first),
    next: (isBackward || hasMore) && last !== undefined ? kind.write(last) : undefined,
  };
}

function readPosition<Cursor, Row>(
  written: string | undefined,
  kind: CursorKind<Cursor, Row>,
): Position<Cursor> | undefined {
  if (written === undefined) return undefined;
  const isBackward = written.startsWith(BACKWARD);
  const cursor = kind.read(isBackward ? written.slice(BACKWARD.length) : written);
  return cursor === undefined ? undefined : { cursor, isBackward };
}

function isAscending(order: Order, position: { isBackward?: boolean } | undefined): boolean {
  return (order === "ascending") !== (position?.isBackward === true);
}

/** Sorts by these columns, all in the order of the list, or all in reverse if the position is backward. */
export function sortBy(
  order: Order,
  position: { isBackward?: boolean } | undefined,
  ...columns: (AnyColumn | SQL)[]
): SQL[] {
  return columns.map((column) => (isAscending(order, position) ? asc(column) : desc(column)));
}

/** For lists in the order of their ids, which is that of their creation. */
export const ID_CURSOR: CursorKind<string, { id: string }> = {
  read: (written) => (isId(written) ? written : undefined),
  write: ({ id }) => id,
};

/** Cursors that contain more than the id can also be used in the order of the ids. */
export function isBeyondId(
  position: Position<string | { id: string }> | undefined,
  id: AnyColumn,
  order: Order,
): SQL | undefined {
  if (position === undefined) return undefined;
  const { cursor } = position;
  return isBeyond(position, order, id, sql`${typeof cursor === "string" ? cursor : cursor.id}::uuid`);
}

/** `place`: of a row, as the columns that the list is sorted by. `cursor`: the same of the cursor. */
export function isBeyond(
  position: Position<unknown> | undefined,
  order: Order,
  place: AnyColumn | SQL,
  cursor: SQL,
): SQL {
  return sql`${place} ${isAscending(order, position) ? sql`>` : sql`<`} ${cursor}`;
}

/**
 * The place of a row in a list that is sorted by a text, then by id. It contains the text, so that the next page continues where this one
 * ended even if the row was renamed or deleted meanwhile.
 */
export interface TextCursor {
  id: string;
  text: string;
}

export function byText<Row extends { id: string }>(
  textOf: (row: Row) => string,
): CursorKind<TextCursor, Row> {
  return {
    read: (written) => {
      const [id = "", ...rest] = written.split("~");
      const text = rest.join("~");
      return isId(id) && rest.length > 0 && canBeStored(text) ? { id, text } : undefined;
    },
    write: (row) => `${row.id}~${textOf(row)}`,
  };
}

/** Of a list in ascending order. */
export function isBeyondText(
  position: Position<TextCursor> | undefined,
  text: AnyColumn,
  id: AnyColumn,
): SQL | undefined {
  if (position === undefined) return undefined;
  const { cursor } = position;
  return isBeyond(
    position,
    "ascending",
    sql`(${text}, ${id})`,
    sql`(${cursor.text}::text, ${cursor.id}::uuid)`,
  );
}

/**
 * The place of a row in a list that is sorted by a moment, then by id. It contains the moment, so that the next page continues where this
 * one ended even if the row has another moment by then, or is deleted.
 */
export interface MomentCursor {
  id: string;
  /** As PostgreSQL writes it, because JavaScript's dates lose its microseconds; or ISO 8601. */
  at: string;
}

const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:\d\d)?)$/;

export function byMoment<Row extends { id: string }>(
  momentOf: (row: Row) => string,
): CursorKind<MomentCursor, Row> {
  return {
    read: (written) => {
      const [at = "", id = ""] = written.split("~");
      return MOMENT.test(at) && !Number.isNaN(Date.parse(at)) && isId(id) ? { at, id } : undefined;
    },
    write: (row) => `${momentOf(row)}~${row.id}`,
  };
}

/** The moment of a row, for a cursor. */
export function cursorMoment(at: AnyColumn): SQL<string> {
  return sql<string>`${at}::text`;
}

export function isBeyondMoment(
  position: Position<MomentCursor> | undefined,
  at: AnyColumn,
  id: AnyColumn,
  order: Order,
): SQL | undefined {
  if (position === undefined) return undefined;
  const { cursor } = position;
  return isBeyond(position, order, sql`(${at}, ${id})`, sql`(${cursor.at}::timestamptz, ${cursor.id}::uuid)`);
}

/**
 * The page of a list that is sorted by what changes all the time and has no place in an index, such as calls: its rows are counted.
 * Anything that isn't a number means the first page.
 */
export async function readCountedPage<Row>(
  written: string | undefined,
  size: number,
  select: (offset: number, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[] } & Pages> {
  const offset = written !== undefined && /^\d{1,7}$/.test(written) ? Number(written) : 0;
  const rows = await select(offset, size + 1);
  return {
    rows: rows.slice(0, size),
    isFirst: offset === 0,
    previous: offset === 0 ? undefined : offset <= size ? "" : String(offset - size),
    next: rows.length > size ? String(offset + size) : undefined,
  };
}

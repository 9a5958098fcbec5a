/**
 * Pages of a list, forward and back. A cursor is the place of a row in the order of the list, not how many rows come before it: rows that
 * are added or deleted meanwhile move nothing, so going to the next page or back to the previous one skips no row and repeats none.
 */
import { asc, desc, sql, type SQL, type SQLWrapper } from "drizzle-orm";
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

/** All rows of a list, page by page as they are asked for. */
export async function* readAll<Row, Cursor>(
  kind: CursorKind<Cursor, Row>,
  size: number,
  select: (position: Position<Cursor> | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let position: Position<Cursor> | undefined;
  do {
    const rows = await select(position, size);
    yield rows;
    const last = rows.length === size ? rows.at(-1) : undefined;
    position = last && readPosition(kind.write(last), kind);
  } while (position !== undefined);
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
  ...columns: SQLWrapper[]
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
  id: SQLWrapper,
  order: Order,
): SQL | undefined {
  if (position === undefined) return undefined;
  const { cursor } = position;
  return sql`${id} ${operatorOf(order, position)} ${typeof cursor === "string" ? cursor : cursor.id}::uuid`;
}

function operatorOf(order: Order, position: { isBackward?: boolean }): SQL {
  return isAscending(order, position) ? sql`>` : sql`<`;
}

/** What a list is sorted by, before its ids. It is never null: null is neither before nor after a cursor. */
export interface Sorting {
  by: SQLWrapper;
  type: KeyType;
  order: Order;
}

/** The order that a link names, or else the first. */
export function findSort<Sort extends string>(
  sorts: Readonly<Record<Sort, Sorting>>,
  named: string | undefined,
): Sort {
  const all = Object.keys(sorts) as Sort[];
  const found = all.find((sort) => sort === named) ?? all[0];
  if (found === undefined) throw new Error("a list without an order");
  return found;
}

/** As PostgreSQL names it. */
type KeyType = keyof typeof IS_KEY;

/**
 * The place of a row in a sorted list. It contains what the list is sorted by, so that the next page continues where this one ended even if
 * the row was changed or deleted meanwhile.
 */
export interface KeyCursor {
  id: string;
  /** As PostgreSQL writes it: JavaScript's dates lose its microseconds. Moments may be ISO 8601. */
  key: string;
}

const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:\d\d)?)$/;

const IS_KEY = {
  text: canBeStored,
  timestamptz: (written: string) => MOMENT.test(written) && !Number.isNaN(Date.parse(written)),
  integer: (written: string) => /^\d{1,9}$/.test(written),
  "numeric[]": (written: string) => /^\{\d{1,20}(,\d{1,20})*\}$/.test(written),
};

export function byKey<Row extends { id: string }>(
  type: KeyType,
  keyOf: (row: Row) => string,
): CursorKind<KeyCursor, Row> {
  return {
    read: (written) => {
      const [id = "", ...rest] = written.split("~");
      const key = rest.join("~");
      return isId(id) && rest.length > 0 && IS_KEY[type](key) ? { id, key } : undefined;
    },
    write: (row) => `${row.id}~${keyOf(row)}`,
  };
}

/** Cursors of rows that contain what `selectKey` selects. */
export function byCursor({ type }: Sorting) {
  return byKey<{ id: string; cursor: string }>(type, ({ cursor }) => cursor);
}

export function selectKey({ by }: Sorting): SQL<string> {
  return sql<string>`(${by})::text`;
}

export function sortByKey({ by, order }: Sorting, position: Position<KeyCursor> | undefined, id: SQLWrapper) {
  return sortBy(order, position, by, id);
}

export function isBeyondKey(
  { by, type, order }: Sorting,
  position: Position<KeyCursor> | undefined,
  id: SQLWrapper,
): SQL | undefined {
  if (position === undefined) return undefined;
  const { cursor } = position;
  return sql`(${by}, ${id}) ${operatorOf(order, position)} (${cursor.key}::${sql.raw(type)}, ${cursor.id}::uuid)`;
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

import { and, asc, desc, eq, gte, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { instanceEvents, logLines } from "@/drizzle/schema/app-logs";
import type { LogFilter } from "@/lib/contract/log-filter";
import type { CallRange } from "@/lib/domain/call-range";
import type { Db } from "../../database/connect";
import { contains } from "../../database/search";
import type { Place } from "./position";

/** What is read of the log of a version. */
export interface LogScope {
  versionId: string;
  filter: LogFilter;
  range: CallRange;
}

export interface LogSelection {
  /** Only what is on its side in the direction. */
  beyond?: Place;
  direction: "older" | "newer";
  limit: number;
}

/** A search reads at most this many lines for one page. */
export const SEARCHED_LINES = 100_000;

/** Exact, unlike a JavaScript date. */
const microseconds = (at: AnyPgColumn) =>
  sql<string>`(extract(epoch from ${at}) * 1000000)::bigint::text`.as("microseconds");

const lineColumns = {
  at: logLines.at,
  microseconds: microseconds(logLines.at),
  id: logLines.id,
  instanceId: logLines.instanceId,
  stream: logLines.stream,
  level: logLines.level,
  text: logLines.text,
  cutBytes: logLines.cutBytes,
};

const eventColumns = {
  microseconds: microseconds(instanceEvents.at),
  id: instanceEvents.id,
  at: instanceEvents.at,
  instanceId: instanceEvents.instanceId,
  event: instanceEvents.kind,
  reason: instanceEvents.reason,
};

interface Timed {
  at: AnyPgColumn;
  id: AnyPgColumn;
}

/** Served by an index. */
function within(
  { at, id }: Timed,
  { from, to }: CallRange,
  { beyond, direction }: Omit<LogSelection, "limit">,
) {
  return and(
    from === undefined ? undefined : gte(at, from),
    to === undefined ? undefined : lt(at, to),
    beyond === undefined ? undefined : isBeyond({ at, id }, beyond, direction),
  );
}

function isBeyond({ at, id }: Timed, place: Place, direction: "older" | "newer"): SQL {
  const moment = sql`timestamptz 'epoch' + ${place.at}::bigint * interval '1 microsecond'`;
  const operator = direction === "older" ? sql`<` : sql`>`;
  return sql`(${at}, ${id}) ${operator} (${moment}, ${place.id}::bigint)`;
}

function inOrder({ at, id }: Timed, direction: "older" | "newer"): [SQL, SQL] {
  return direction === "older" ? [desc(at), desc(id)] : [asc(at), asc(id)];
}

type Compared = Record<"instanceId" | "stream" | "level" | "text", AnyPgColumn>;

/** Checked line by line. The platform's own words say where lines are missing, so that only a search leaves them out. */
function matches(row: Compared, { instance, stream, level, q }: LogFilter): SQL | undefined {
  const isOurs = eq(row.stream, "platform");
  return and(
    instance === undefined ? undefined : eq(row.instanceId, instance),
    stream === undefined ? undefined : or(eq(row.stream, stream), isOurs),
    level === undefined ? undefined : or(eq(row.level, level), isOurs),
    contains(q, row.text),
  );
}

/** Whether lines are checked one by one. */
export function isSearch({ instance, stream, level, q }: LogFilter): boolean {
  return [instance, stream, level, q].some((value) => value !== undefined);
}

function scanLines(db: Db, { versionId, range }: LogScope, selection: Omit<LogSelection, "limit">) {
  return db
    .select(lineColumns)
    .from(logLines)
    .where(and(eq(logLines.versionId, versionId), within(logLines, range, selection)))
    .orderBy(...inOrder(logLines, selection.direction));
}

export async function selectLines(db: Db, scope: LogScope, { limit, ...selection }: LogSelection) {
  const scan = scanLines(db, scope, selection).limit(SEARCHED_LINES).as("scan");
  return db
    .select()
    .from(scan)
    .where(matches(scan, scope.filter))
    .orderBy(...inOrder(scan, selection.direction))
    .limit(limit);
}

/** The line at which a search for one page ends; undefined if it reaches the last one. */
export async function selectSearchEnd(db: Db, scope: LogScope, selection: Omit<LogSelection, "limit">) {
  const [found] = await scanLines(db, scope, selection)
    .offset(SEARCHED_LINES - 1)
    .limit(1);
  return found;
}

/** Lines by their numbers, if the filter shows them. */
export async function selectLinesById(db: Db, { versionId, filter, range }: LogScope, ids: number[]) {
  return db
    .select(lineColumns)
    .from(logLines)
    .where(
      and(
        eq(logLines.versionId, versionId),
        inArray(logLines.id, ids),
        within(logLines, range, { direction: "older" }),
        matches(logLines, filter),
      ),
    )
    .orderBy(...inOrder(logLines, "newer"));
}

/** What happened to the instances, unless the filter searches the lines. */
export async function selectEvents(
  db: Db,
  { versionId, filter, range }: LogScope,
  { limit, ids, ...selection }: LogSelection & { ids?: number[] },
) {
  if (filter.q !== undefined || filter.level !== undefined) return [];
  return db
    .select(eventColumns)
    .from(instanceEvents)
    .where(
      and(
        eq(instanceEvents.versionId, versionId),
        ids === undefined ? undefined : inArray(instanceEvents.id, ids),
        within(instanceEvents, range, selection),
        filter.instance === undefined ? undefined : eq(instanceEvents.instanceId, filter.instance),
      ),
    )
    .orderBy(...inOrder(instanceEvents, selection.direction))
    .limit(limit);
}

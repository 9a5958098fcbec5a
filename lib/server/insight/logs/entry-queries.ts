import { and, asc, desc, eq, gte, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { instanceEvents, logLines } from "@/drizzle/schema/runtime";
import { LISTED_INSTANCES, type LogFilter } from "@/lib/contract/insight/filters";
import type { CallRange } from "@/lib/domain/calls/call-range";
import type { Db } from "../../platform/database/connect";
import { contains } from "../../platform/database/expressions";
import { NOW, queryChanges, widenTransaction } from "../../platform/live-queries";
import type { Source } from "../../platform/watch-changes";
import type { Place } from "./log-position";

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
const SEARCHED_LINES = 100_000;

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

/** Where lines are in the order of the index. What is calculated of them is left to those that are returned. */
function placeLines({ versionId, range }: LogScope, selection: Omit<LogSelection, "limit">) {
  return {
    where: and(eq(logLines.versionId, versionId), within(logLines, range, selection)),
    order: inOrder(logLines, selection.direction),
  };
}

export async function selectLines(db: Db, scope: LogScope, { limit, ...selection }: LogSelection) {
  const { microseconds: _, ...stored } = lineColumns;
  const { where, order } = placeLines(scope, selection);
  const lines = db
    .select(stored)
    .from(logLines)
    .where(where)
    .orderBy(...order);
  const scan = lines.limit(SEARCHED_LINES).as("scan");
  const { at, id, instanceId, stream, level, text, cutBytes } = scan;
  return db
    .select({ at, microseconds: microseconds(at), id, instanceId, stream, level, text, cutBytes })
    .from(scan)
    .where(matches(scan, scope.filter))
    .orderBy(...inOrder(scan, selection.direction))
    .limit(limit);
}

/** The line at which a search for one page ends; undefined if it reaches the last one. */
export async function selectSearchEnd(db: Db, scope: LogScope, selection: Omit<LogSelection, "limit">) {
  const { where, order } = placeLines(scope, selection);
  const places = db
    .select({ at: logLines.at, id: logLines.id })
    .from(logLines)
    .where(where)
    .orderBy(...order);
  const last = places
    .offset(SEARCHED_LINES - 1)
    .limit(1)
    .as("last");
  const [found] = await db.select({ microseconds: microseconds(last.at), id: last.id }).from(last);
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

export interface LoggedVersion {
  id: string;
  number: string;
  /** ISO 8601; null if it has no lines. */
  lastLineAt: string | null;
}

/**
 * The versions of a listing that have lines, the newest version, and the one with a number; newest first. A listing may have thousands
 * of others, of which there is nothing to read.
 */
export async function selectLoggedVersions(
  db: Db,
  listingId: string,
  number: string | undefined,
): Promise<LoggedVersion[]> {
  const { rows } = await db.execute<{ id: string; number: string; at: string | null }>(sql`
    with chosen as (
           select g.version_id as id from version_logs g join versions v on v.id = g.version_id
            where v.listing_id = ${listingId} and g.lines > 0
            union (select id from versions where listing_id = ${listingId} order by id desc limit 1)
            union select id from versions where listing_id = ${listingId} and number = ${number ?? ""})
    select v.id, v.number, l.at
      from chosen join versions v on v.id = chosen.id
      left join lateral (select at from log_lines where version_id = v.id order by at desc, id desc limit 1) l on true
     order by v.id desc`);
  return rows.map(({ id, number: own, at }) => ({
    id,
    number: own,
    lastLineAt: at === null ? null : new Date(at).toISOString(),
  }));
}

/** Events are kept long, and an app that flaps has many. */
const READ_EVENTS = 2_000;

/** The instances of a version that something was noted of lately, the newest first. */
export async function selectInstances(db: Db, versionId: string) {
  const { rows } = await db.execute<{ id: string; startedAt: string; endedAt: string | null }>(sql`
    select instance_id as id, min(at) as "startedAt", max(at) filter (where kind in ('failed', 'stopped')) as "endedAt"
      from (select instance_id, at, kind from instance_events
             where version_id = ${versionId} order by at desc, id desc limit ${READ_EVENTS}) e
     group by instance_id
     order by min(at) desc
     limit ${LISTED_INSTANCES}`);
  return rows.map(({ id, startedAt, endedAt }) => ({
    id,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  }));
}

/** A version writes up to 200 lines a second, and up to 1,000 for a start. */
const MOST_CHANGES = 1_000;

const unseen = (row: string) => `
  cross join lateral (select ${widenTransaction(`${row}.low`, "n.next")} as transaction) w
  where ${row}.low >= 3 and not pg_visible_in_snapshot(w.transaction::text::xid8, $2::pg_snapshot)`;

/**
 * What was written since a cursor: one statement, so one snapshot. Lines are committed in the order of their numbers, so only
 * the newest are looked at, and none if the row that counts them is unchanged.
 */
const CHANGES = `
  with now as materialized (${NOW})
  select now.at, now.snapshot::text as snapshot, c.id, v.id as key, c.transaction::text as transaction
    from now
    left join (unnest($1::uuid[]) as v (id)
      cross join now as n
      cross join lateral (
        (select 'line ' || l.id as id, w.transaction
           from (select id, xmin::text::bigint as low from log_lines
                  where version_id = v.id
                    and exists (select from (select xmin::text::bigint as low from version_logs where version_id = v.id) h
                                ${unseen("h")})
                  order by id desc limit ${MOST_CHANGES + 1}) l
           ${unseen("l")})
        union all
        (select 'event ' || e.id as id, w.transaction
           from (select id, xmin::text::bigint as low from instance_events
                  where version_id = v.id order by id desc limit 100) e
           ${unseen("e")})) c) on true`;

/** The lines and events that were stored, by version. */
export const LOG_CHANGES: Source = {
  most: MOST_CHANGES,
  select: (pool, versionIds, since) => queryChanges(pool, CHANGES, [versionIds, since.snapshot]),
};

/** The numbers of the rows that changed. */
export function splitChanges(ids: readonly string[]): { lines: number[]; events: number[] } {
  const numbers = (kind: string) =>
    ids.flatMap((id) => (id.startsWith(kind) ? [Number(id.slice(kind.length))] : []));
  return { lines: numbers("line "), events: numbers("event ") };
}

import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, not, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { attempts, deliveries } from "@/drizzle/schema/calls";
import { listings } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { CallFilter } from "@/lib/contract/calls/call-filter";
import { firstIdAt } from "@/lib/contract/platform/text";
import type { CallRange } from "@/lib/domain/calls/call-range";
import type { Db } from "../../platform/database/connect";
import { isTrial } from "./scope-queries";
import { contains } from "../../platform/database/expressions";
import { NOW, queryChanges, widenTransaction } from "../../platform/live-queries";
import type { Source } from "../../platform/watch-changes";

/** The calls that a member may see and asked for. Ids are resolved within the organization. */
export interface CallScope {
  organizationId: string;
  /** Only this installation. */
  installationId?: string;
  /** Only these installations, such as the Test Launches; unless `besides`. */
  among?: readonly string[];
  /** All installations except those of `among`. */
  besides?: boolean;
  routeIds?: readonly string[];
  range: CallRange;
}

/**
 * A search reads at most this many calls for one page, so that a filter that matches nothing costs no more with a million calls
 * than with fifty thousand.
 */
const SEARCHED_CALLS = 50_000;

/** The columns of a row and of its filters: payloads and answers stay where they are. */
const columns = {
  id: attempts.id,
  installationId: attempts.installationId,
  routeId: attempts.routeId,
  deliveryId: attempts.deliveryId,
  kind: attempts.kind,
  target: attempts.target,
  eventType: attempts.eventType,
  startedAt: attempts.startedAt,
  durationMs: attempts.durationMs,
  status: attempts.status,
  failure: attempts.failure,
  test: attempts.test,
  dueAt: attempts.dueAt,
  heldBy: attempts.heldBy,
};

/** Served by an index: the organization or the installation, the time, and whether it failed. */
function indexed(
  scope: CallScope,
  filter: CallFilter,
  { before, ids }: Omit<CallSelection, "limit">,
): SQL | undefined {
  return and(
    eq(attempts.organizationId, scope.organizationId),
    scope.installationId === undefined ? undefined : eq(attempts.installationId, scope.installationId),
    before === undefined ? undefined : lt(attempts.id, before),
    ids === undefined ? undefined : inArray(attempts.id, [...ids]),
    withinRange(attempts.id, scope.range),
    filter.state === "failed" ? isNotNull(attempts.failure) : undefined,
  );
}

export function withinRange(id: AnyPgColumn, { from, to }: CallRange): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(id, firstIdAt(from)),
    to === undefined ? undefined : lt(id, firstIdAt(to)),
  );
}

type Searched = Record<keyof typeof columns, AnyPgColumn>;

/** Conditions that are checked row by row. Undefined if there are none. */
function compared(scope: CallScope, filter: CallFilter, row: Searched): SQL | undefined {
  const { state, slower, q } = filter;
  return and(
    state === "succeeded" ? and(isNotNull(row.durationMs), isNull(row.failure)) : undefined,
    state === "open" ? isNull(row.durationMs) : undefined,
    chartedRow(scope, filter, row),
    slower === undefined ? undefined : gte(row.durationMs, slower),
    contains(q, row.target, row.failure, row.eventType),
  );
}

/** What charts can be filtered by besides the time. */
export function chartedRow(
  scope: CallScope,
  { kind, event, source }: CallFilter,
  row: Pick<Searched, "kind" | "routeId" | "installationId" | "eventType" | "test">,
): SQL | undefined {
  return and(
    kind === undefined ? undefined : eq(row.kind, kind),
    scope.routeIds === undefined ? undefined : inArray(row.routeId, [...scope.routeIds]),
    isAmong(row.installationId, scope),
    event === undefined ? undefined : startsWith(row.eventType, event),
    source === undefined || source === "launches" ? undefined : eq(row.test, source === "console"),
  );
}

/** The calls that a chart counts. It shows how they ended, so filters for results and texts don't apply. */
export function charted(scope: CallScope, filter: CallFilter): SQL | undefined {
  return and(indexed(scope, { ...filter, state: undefined }, {}), chartedRow(scope, filter, attempts));
}

export function isAmong(installationId: AnyPgColumn, { among, besides }: CallScope): SQL | undefined {
  if (among === undefined) return undefined;
  const isOne = inArray(installationId, [...among]);
  return besides === true ? not(isOne) : isOne;
}

export function startsWith(column: AnyPgColumn, text: string): SQL {
  return sql`starts_with(${column}, ${text})`;
}

export interface CallSelection {
  /** The last id of the previous page. */
  before?: string;
  /** Only the ones that the filter shows. */
  ids?: readonly string[];
  limit: number;
}

/**
 * A page of attempts, newest first: ids are UUIDv7, so they sort by time. The page is found before anything is joined to it, so
 * that the joins cost the same for every filter.
 */
export function selectCalls(
  db: Db,
  scope: CallScope,
  filter: CallFilter,
  { limit, ...selection }: CallSelection,
) {
  const scan = db
    .select(columns)
    .from(attempts)
    .where(indexed(scope, filter, selection))
    .orderBy(desc(attempts.id))
    .limit(SEARCHED_CALLS)
    .as("scan");
  const found = db
    .select()
    .from(scan)
    .where(compared(scope, filter, scan))
    .orderBy(desc(scan.id))
    .limit(limit)
    .as("found");
  return db
    .select({
      id: found.id,
      kind: found.kind,
      target: found.target,
      eventType: found.eventType,
      startedAt: found.startedAt,
      durationMs: found.durationMs,
      status: found.status,
      failure: found.failure,
      test: found.test,
      dueAt: found.dueAt,
      heldBy: found.heldBy,
      installation: {
        id: installations.id,
        title: listings.title,
        tenant: tenants.name,
        test: installations.test,
        trial: isTrial,
      },
      delivery: {
        id: deliveries.id,
        state: deliveries.state,
        attemptCount: deliveries.attemptCount,
        nextAttemptAt: deliveries.nextAttemptAt,
      },
    })
    .from(found)
    .innerJoin(installations, eq(installations.id, found.installationId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .leftJoin(deliveries, eq(deliveries.id, found.deliveryId))
    .orderBy(desc(found.id));
}

/** The attempt at which a search for one page ends; undefined if it reaches the oldest one. */
export async function selectSearchEnd(
  db: Db,
  scope: CallScope,
  filter: CallFilter,
  before?: string,
): Promise<string | undefined> {
  const [found] = await db
    .select({ id: attempts.id })
    .from(attempts)
    .where(indexed(scope, filter, { before }))
    .orderBy(desc(attempts.id))
    .offset(SEARCHED_CALLS - 1)
    .limit(1);
  return found?.id;
}

/** The longest time between a call's id and its last change: a lifecycle hook's 60 s, and time to record it. */
const LONGEST_CALL_MS = 120_000;

const MOST_CHANGES = 500;

/** What changed since a cursor, and the cursor that shows it: one statement, so one snapshot. */
const CHANGES = `
  with now as materialized (${NOW})
  select now.at, now.snapshot::text as snapshot, c.id, o.id as key, c.transaction::text as transaction
    from now
    left join (unnest($1::uuid[]) as o (id)
      cross join now as n
      cross join lateral (
        select a.id, w.transaction
          from attempts a
         cross join lateral (select a.xmin::text::bigint as low) x
         cross join lateral (select ${widenTransaction("x.low", "n.next")} as transaction) w
         where a.organization_id = o.id and a.id >= $2 and x.low >= 3
           and not pg_visible_in_snapshot(w.transaction::text::xid8, $3::pg_snapshot)
         order by a.id desc
         limit ${MOST_CHANGES + 1}) c) on true`;

/** The calls that were recorded or that ended, by organization. */
export const CALL_CHANGES: Source = {
  most: MOST_CHANGES,
  select: (pool, organizationIds, since) =>
    queryChanges(pool, CHANGES, [
      organizationIds,
      firstIdAt(new Date(since.at - LONGEST_CALL_MS)),
      since.snapshot,
    ]),
};

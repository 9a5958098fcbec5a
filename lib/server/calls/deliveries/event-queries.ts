import { and, eq, isNull, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { deliveries, routes } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { IS_VALID_CREDENTIAL } from "../../accounts/credentials/core-credential-queries";
import type { Db } from "../../platform/database/connect";
import { WORK_CHANNEL } from "../../platform/database/work-channel";
import { inPages, type Page, type Range } from "../../platform/retention-queries";

/** An event to store, as the statement below reads it from JSON. */
export interface EventRow {
  /** Of the event; a UUIDv7. */
  id: string;
  /** Null for a core: its credential says which tenant it is. */
  tenant: string | null;
  /** SHA-256 (hex) of a core's credential, which must work now; null for the platform itself. */
  credential: string | null;
  /** The core's id of the event. */
  key: string;
  type: string;
  body: string;
  /** SHA-256 (hex) of the body. */
  hash: string;
  /** As the core sent them, checked. */
  trace_parent: string | null;
  trace_state: string | null;
  /** Matches the patterns of the webhooks that subscribe: see `patternsMatching`. */
  patterns: string;
  test: boolean;
  /** Only the tenant's Test Launches get it. */
  test_only: boolean;
  /** Of the routes that subscribe, only these get it; null: all. */
  only_routes: readonly string[] | null;
}

export interface EventOutcome {
  id: string;
  /** Null if the credential doesn't work, and nothing was stored. */
  tenant: string | null;
  /** The id of the credential. */
  credential: string | null;
  /** False if the tenant has an event with this key. */
  stored: boolean;
  deliveries: number;
}

/**
 * Everything it takes to accept many events, in one round trip and one commit. Keys are inserted in order, so that two
 * statements that store the same events wait for each other and never deadlock. A delivery's id begins with its event's time,
 * as a UUIDv7 of its own would. Workers are woken once.
 */
const ACCEPT = `
  with asked as materialized (
    select * from json_to_recordset($1::json) as e
      (id uuid, tenant uuid, credential text, key text, type text, body text, hash text, patterns text,
       trace_parent text, trace_state text, test boolean, test_only boolean, only_routes uuid[])
  ), allowed as materialized (
    select e.id, case when e.credential is null then e.tenant else c.tenant_id end as tenant, c.id as credential,
           e.key, e.type, e.body, e.hash, e.patterns, e.trace_parent, e.trace_state, e.test, e.test_only, e.only_routes
      from asked e
      left join core_credentials c on c.hash = e.credential and ${IS_VALID_CREDENTIAL}
     where e.credential is null or c.id is not null
  ), stored as (
    insert into events (id, tenant_id, event_id, type, body, body_hash, trace_parent, trace_state, test)
    select id, tenant, key, type, body, hash, trace_parent, trace_state, test from allowed order by tenant, key
    on conflict (tenant_id, event_id) do nothing
    returning id
  ), queued as (
    insert into deliveries (id, event_id, installation_id, route_id, event_type)
    select (left(e.id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid, e.id, i.id, r.id, e.type
      from stored s
      join allowed e on e.id = s.id
      join installations i on i.tenant_id = e.tenant and i.state = 'RUNNING' and (i.test or not e.test_only)
      join routes r on r.installation_id = i.id and r.kind = 'webhook' and r.ended_at is null and r.removed_at is null
     where (e.only_routes is null or r.id = any(e.only_routes))
       and exists (select 1 from jsonb_array_elements_text(r.patterns) p (pattern) where p.pattern ~ e.patterns)
    returning event_id
  ), counted as (
    select event_id, count(*)::int as deliveries from queued group by event_id
  ), woken as (
    select pg_notify('${WORK_CHANNEL}', '') from counted limit 1
  )
  select e.id, a.tenant, a.credential, s.id is not null as stored, coalesce(d.deliveries, 0) as deliveries
    from asked e
    left join allowed a on a.id = e.id
    left join stored s on s.id = e.id
    left join counted d on d.event_id = e.id
   where (select count(*) from woken) >= 0`;

/** All or nothing, committed when this returns. */
export async function storeEvents(pool: Pool, rows: readonly EventRow[]): Promise<EventOutcome[]> {
  const values = [JSON.stringify(rows)];
  const stored = await pool.query<EventOutcome>({ name: "accept-events", text: ACCEPT, values });
  return stored.rows;
}

const [BEFORE = "", AFTER = ""] = ACCEPT.split("$1");

/** The same in a transaction. */
export async function storeEvent(tx: Db, row: EventRow): Promise<EventOutcome> {
  const statement = sql`${sql.raw(BEFORE)}${JSON.stringify([row])}${sql.raw(AFTER)}`;
  const { rows } = await tx.execute<{ [Name in keyof EventOutcome]: EventOutcome[Name] }>(statement);
  const [outcome] = rows;
  if (outcome === undefined) throw new Error("the event was not stored");
  return outcome;
}

export interface FirstEvent {
  id: string;
  tenantId: string;
  key: string;
  hash: string;
  deliveries: number;
}

const SELECT_FIRST = `
  select e.id, e.tenant_id as "tenantId", e.event_id as key, e.body_hash as hash,
         (select count(*)::int from deliveries d where d.event_id = e.id) as deliveries
    from unnest($1::uuid[], $2::text[]) a (tenant, key)
    join events e on e.tenant_id = a.tenant and e.event_id = a.key`;

/** What was accepted first with these keys. */
export async function selectFirstEvents(
  pool: Pool,
  rows: readonly { tenant: string; key: string }[],
): Promise<FirstEvent[]> {
  const found = await pool.query<FirstEvent>({
    name: "select-first-events",
    text: SELECT_FIRST,
    values: [rows.map(({ tenant }) => tenant), rows.map(({ key }) => key)],
  });
  return found.rows;
}

/** The webhook routes that can get events now; with `testOnly`, only those of Test Launches. */
export async function selectWebhookRoutes(db: Db, tenantId: string, testOnly: boolean) {
  return db
    .select({
      routeId: routes.id,
      path: routes.path,
      patterns: routes.patterns,
      installationId: installations.id,
      test: installations.test,
    })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .where(
      and(
        eq(installations.tenantId, tenantId),
        eq(installations.state, "RUNNING"),
        testOnly ? eq(installations.test, true) : undefined,
        eq(routes.kind, "webhook"),
        isNull(routes.endedAt),
        isNull(routes.removedAt),
      ),
    );
}

/** The delivery of an event to a route; undefined if the route does not get it. */
export async function selectDeliveryId(
  db: Db,
  eventId: string,
  routeId: string,
): Promise<string | undefined> {
  const [found] = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.eventId, eventId), eq(deliveries.routeId, routeId)));
  return found?.id;
}

/**
 * Deletes events with their deliveries, once none of them is pending, none died after `diedBefore`, and none has an attempt
 * that is still kept.
 */
async function deleteEvents(tx: Db, range: Range, diedBefore: Date): Promise<Page> {
  const { rows: page } = await tx.execute<{ id: string; kept: boolean }>(sql`
    select e.id, exists (
             select 1 from deliveries d
              where d.event_id = e.id
                and (d.state = 'PENDING' or (d.state = 'DEAD' and d.settled_at > ${diedBefore.toISOString()})
                     or exists (select 1 from attempts a where a.delivery_id = d.id))) as kept
      from events e
     where e.id > ${range.after} and e.id < ${range.before}
     order by e.id limit ${range.limit} for update of e skip locked`);
  const ids = sql.param(page.filter(({ kept }) => !kept).map(({ id }) => id));
  await tx.execute(sql`delete from deliveries where event_id = any(${ids}::uuid[])`);
  const { rowCount } = await tx.execute(sql`delete from events where id = any(${ids}::uuid[])`);
  return { deleted: rowCount ?? 0, last: page.at(-1)?.id };
}

export const EVENT_RETENTION = inPages("events", "PLATFORM_KEEP_EVENTS_DAYS", deleteEvents);

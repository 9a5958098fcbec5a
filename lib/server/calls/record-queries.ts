/** Writes the records of calls: many rows in one statement, because most callers write them in batches. */
import { sql, type SQL } from "drizzle-orm";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import type { LifecycleEvent } from "@/lib/contract/platform/manifest-terms";
import { toStorableJson } from "@/lib/contract/platform/text";
import type { DeliveryWait } from "@/lib/domain/calls/delivery";
import type { Db } from "../platform/database/connect";
import { inPages, type Page, type Range, type RetentionJob, runPage } from "../platform/retention-queries";

/** A call's request. Texts are without secrets, and storable: see `storableText`. */
export interface AttemptStart {
  id: string;
  installationId: string;
  routeId: string;
  kind: RouteKind;
  hook?: LifecycleEvent;
  deliveryId?: string;
  test?: boolean;
  wait?: DeliveryWait;
  /** The event's type or the autofill's operation. */
  eventType?: string;
  /** The trace that it belongs to; undefined: its own. */
  traceId?: string;
  /** How long it waited in the platform before it was sent. */
  queueMs?: number;
  /** Method and path. */
  target: string;
  /** Whether payload and answer are stored. */
  recorded: boolean;
  payload: string | null;
  payloadBytes: number | null;
  /** When it began, on this process's monotonic clock (`performance.now()`). */
  startedMs: number;
}

/** A call's answer. */
export interface AttemptEnd {
  id: string;
  status: number | null;
  answer: string | null;
  answerBytes: number | null;
  failure: string | null;
  fault: AppFault | null;
  durationMs: number;
  platformMs: number;
  /** When it ended, on the same clock. */
  endedMs: number;
  /** The instance that was called; null if none was. */
  instanceId: string | null;
}

const EVENT_TYPE_CHARACTERS = 200;

/** Moments are kept on the database's clock, as state reads are, so that they can be compared. */
const ageSeconds = (ms: number) => (performance.now() - ms) / 1000;

/** A call that has started, and may have ended. */
export type Attempt = AttemptStart & Partial<AttemptEnd>;

/** Records calls: their start, their end, or both at once. A call that ended isn't changed. The organization is the installation's. */
export async function recordAttempts(db: Db, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length > 0) await db.execute(recordStatement(attempts));
}

export function recordStatement(attempts: readonly Attempt[]): SQL {
  // What is spread comes last: properties that follow it make writing a row take four times as long. PostgreSQL leaves out what it
  // isn't asked for.
  const rows = attempts.map((attempt) => ({
    dueAt: attempt.wait?.dueAt,
    heldBy: attempt.wait?.heldBy,
    startedAge: ageSeconds(attempt.startedMs),
    endedAge: attempt.endedMs && ageSeconds(attempt.endedMs),
    ...attempt,
  }));
  return sql`
    insert into attempts as a (id, organization_id, installation_id, route_id, delivery_id, kind, hook, target, event_type, trace_id,
                               test, recorded, payload, payload_bytes, due_at, held_by, queue_ms, started_at, platform_ms,
                               duration_ms, ended_at, status, answer, answer_bytes, failure, fault, instance_id)
    select r.id, i.organization_id, i.id, r."routeId", r."deliveryId", r.kind, r.hook, r.target,
           left(r."eventType", ${EVENT_TYPE_CHARACTERS}), r."traceId", coalesce(r.test, false), r.recorded, r.payload, r."payloadBytes", r."dueAt", r."heldBy", r."queueMs",
           statement_timestamp() - make_interval(secs => r."startedAge"), r."platformMs", r."durationMs",
           statement_timestamp() - make_interval(secs => r."endedAge"), r.status, r.answer, r."answerBytes",
           r.failure, r.fault, r."instanceId"
      from json_to_recordset(${toStorableJson(rows)}::json) as r (
             id uuid, "installationId" uuid, "routeId" uuid, "deliveryId" uuid, kind route_kind, hook lifecycle_event,
             target text, "eventType" text, "traceId" uuid, test boolean, recorded boolean, payload text, "payloadBytes" int,
             "dueAt" timestamptz, "heldBy" delivery_hold, "queueMs" bigint, "startedAge" float8, "platformMs" int,
             "durationMs" int, "endedAge" float8, status int, answer text, "answerBytes" int, failure text, fault text, "instanceId" uuid)
      join installations i on i.id = r."installationId"
    on conflict (id) do update
       set payload = coalesce(excluded.payload, a.payload), due_at = coalesce(excluded.due_at, a.due_at),
           held_by = coalesce(excluded.held_by, a.held_by), queue_ms = coalesce(excluded.queue_ms, a.queue_ms),
           platform_ms = excluded.platform_ms, duration_ms = excluded.duration_ms, ended_at = excluded.ended_at,
           status = excluded.status, answer = excluded.answer, answer_bytes = excluded.answer_bytes,
           failure = excluded.failure, fault = excluded.fault, instance_id = excluded.instance_id
     where a.duration_ms is null`;
}

/** The moment in a UUIDv7. PostgreSQL 16 has no function for it. */
const beganAt = sql`to_timestamp(('x' || left(replace(c.attempt_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`;

/**
 * Records attempts that were claimed and whose result may never be known, because the app may have received them. Existing
 * records stay as they are. @param claimed selects `delivery_id` and `attempt_id`
 */
export function recordInterrupted(claimed: SQL): SQL {
  return sql`
    insert into attempts (id, organization_id, installation_id, route_id, delivery_id, kind, target, event_type, trace_id, test,
                          recorded, payload_bytes, started_at)
    select c.attempt_id, i.organization_id, i.id, r.id, d.id, 'webhook', 'POST ' || r.path,
           left(e.type, ${EVENT_TYPE_CHARACTERS}), coalesce(substr(e.trace_parent, 4, 32)::uuid, e.id), e.test, e.test or i.test or o.record_bodies, octet_length(e.body),
           ${beganAt}
      from (${claimed}) c
      join deliveries d on d.id = c.delivery_id
      join events e on e.id = d.event_id
      join routes r on r.id = d.route_id
      join installations i on i.id = d.installation_id
      join organizations o on o.id = i.organization_id
    on conflict (id) do nothing`;
}

/**
 * Deletes attempts, but not the lifecycle hooks of an installation that still exists: they say which hook its app needs next.
 * Rows that others hold are skipped, and come with a later run.
 */
function deleteAttempts(tx: Db, range: Range): Promise<Page> {
  return runPage(
    tx,
    sql`
      with page as (
             select id, kind, installation_id from attempts
              where id > ${range.after} and id < ${range.before}
              order by id limit ${range.limit} for update skip locked),
           gone as (
             delete from attempts a using page
              where a.id = page.id
                and (page.kind <> 'lifecycle' or exists (
                      select 1 from installations i where i.id = page.installation_id and i.state = 'UNINSTALLED'))
             returning a.id)
      select (select count(*)::int from gone) as deleted, (select id from page order by id desc limit 1) as last`,
  );
}

/** Deletes the state reads of attempts that are gone or were never recorded. */
function deleteStateReads(tx: Db, range: Range): Promise<Page> {
  return runPage(
    tx,
    sql`
      with page as (
             select attempt_id as id from attempt_state_reads
              where attempt_id > ${range.after} and attempt_id < ${range.before}
              order by attempt_id limit ${range.limit} for update skip locked),
           gone as (
             delete from attempt_state_reads r using page
              where r.attempt_id = page.id and not exists (select 1 from attempts a where a.id = page.id)
             returning r.attempt_id)
      select (select count(*)::int from gone) as deleted, (select id from page order by id desc limit 1) as last`,
  );
}

/** In this order, because state reads refer to attempts. */
export const CALL_RETENTION: RetentionJob[] = [
  inPages("attempts", "PLATFORM_KEEP_CALLS_DAYS", deleteAttempts),
  inPages("stateReads", "PLATFORM_KEEP_CALLS_DAYS", deleteStateReads),
];

import { sql, type SQL } from "drizzle-orm";
import type { Pool } from "pg";
import { type Candidate, type Probe, PROBE_MS, PROBES_OF_END } from "@/lib/domain/calls/breaker";
import type { Due } from "@/lib/domain/calls/delivery";
import { type Db, runPrepared } from "../../platform/database/connect";
import { endsIn, type Lease } from "../../platform/lease-queries";
import type { Replica } from "../choose-replica";
import { recordInterrupted } from "../record-queries";
import { listReplicas } from "../route-queries";

/** A due delivery. `probe`: it tests whether what its open breaker holds works again: its type, or the whole app. */
export interface DueDelivery extends Due, Candidate {
  /** It is from the end of its queue. */
  newest: boolean;
  probe: Probe | null;
}

/** A queue: the deliveries of an installation's event type that failed before, or those that did not. */
export interface QueueId {
  installationId: string;
  eventType: string;
  retried: boolean;
}

/** Behind which all queues are. */
export const BEFORE_ALL: QueueId = {
  installationId: "00000000-0000-0000-0000-000000000000",
  eventType: "",
  retried: false,
};

/**
 * The part `visited` of a recursive statement: the queues with pending deliveries behind `after`, each with its oldest `next_attempt_at`.
 * Jumps from queue to queue in the index, however many deliveries each has.
 */
export function visitQueues(after: QueueId, visits: number): SQL {
  return sql`visited as (
      select 0 as n, ${after.installationId}::uuid as installation_id, ${after.eventType}::text collate "C" as event_type,
             ${after.retried}::boolean as retried, null::timestamptz as next_attempt_at
      union all
      select v.n + 1, x.installation_id, x.event_type, x.retried, x.next_attempt_at
        from visited v
       cross join lateral (
             select d.installation_id, d.event_type collate "C" as event_type, d.attempt_count > 0 as retried, d.next_attempt_at
               from deliveries d
              where d.state = 'PENDING'
                and (d.installation_id, d.event_type collate "C", d.attempt_count > 0) >
                    (v.installation_id, v.event_type, v.retried)
              order by d.installation_id, d.event_type collate "C", d.attempt_count > 0, d.next_attempt_at limit 1) x
       where v.n < ${visits}::int)`;
}

/** How long after a type's breaker closed its queue is read from both ends. */
const REOPENED = sql`interval '10 minutes'`;

interface Window {
  /** Queues behind this one. */
  after: QueueId;
  /** The most queues with pending deliveries to visit. */
  visits: number;
  /** The most deliveries of each. */
  each: number;
}

/**
 * Due deliveries that no worker is sending, the oldest of each queue first. Installations that are stopped or whose app is not
 * ready are left out, and of what waits for an open breaker, each queue gives its oldest and its newest when probes are due: one of each if they failed before. Of a type that
 * works again, each queue gives some of both ends: it may have been one payload after another that the app fails on. `last`: the last queue that was visited; undefined if it was the last one that has
 * pending deliveries.
 */
export async function selectDue(
  pool: Pool,
  { after, visits, each }: Window,
): Promise<{ due: DueDelivery[]; last: QueueId | undefined }> {
  const isFree = sql`d.state = 'PENDING' and d.installation_id = v.installation_id
              and d.event_type collate "C" = v.event_type and (d.attempt_count > 0) = v.retried and d.next_attempt_at <= now()
              and (d.leased_until is null or d.leased_until < now())`;
  const isHeld = sql`b.state <> 'CLOSED' or t.state <> 'CLOSED'`;
  const most = sql`case when (${isHeld}) and v.retried then 1 when ${isHeld} then ${PROBES_OF_END}::int else ${each}::int end`;
  const rows = await runPrepared<DueRow>(
    pool,
    "select-due",
    sql`
    with recursive ${visitQueues(after, visits)}
    select v.n, d.id, i.id as "installationId", i.version_id as "versionId", i.organization_id as "organizationId",
           v.event_type as "eventType", v.retried, d.newest, t.failed_at as "typeFailedAt",
           coalesce(case when b.state <> 'CLOSED' then b.openings else t.openings end, 0) as openings,
           case when b.state <> 'CLOSED' then 'whole' when t.state <> 'CLOSED' then 'type' end as probe
      from visited v
      join installations i on i.id = v.installation_id and i.state = 'RUNNING'
      left join breakers b on b.installation_id = i.id
      left join type_breakers t on t.installation_id = i.id and t.event_type = v.event_type
     cross join lateral (
          (select d.id, false as newest from deliveries d
            where ${isFree}
            order by d.next_attempt_at
            limit ${most})
            union all
          (select d.id, true from deliveries d
            where ${isFree} and (t.state <> 'CLOSED' or t.closed_at > now() - ${REOPENED})
            order by d.next_attempt_at desc
            limit ${most})) d
     where v.next_attempt_at <= now()
       and case when b.state <> 'CLOSED' then b.probe_at <= now()
                when t.state <> 'CLOSED' then t.probe_at <= now() else true end
       and exists (select from instances s where s.version_id = i.version_id and s.state = 'READY')
     union all
    (select n, null, installation_id, null, null, event_type, retried, null, null, null, null from visited order by n desc limit 1)`,
  );
  const end = rows.at(-1);
  // A short queue gives the same from both ends.
  const seen = new Set<string | null>();
  const isNew = ({ id }: DueRow) => !seen.has(id) && seen.add(id);
  return {
    due: rows.filter(isNew).flatMap(toDelivery),
    last: end?.n === visits ? end : undefined,
  };
}

/** The last row contains only the last queue. */
type DueRow = QueueId & {
  n: number;
  id: string | null;
  versionId: string;
  organizationId: string;
  newest: boolean;
  typeFailedAt: Date | null;
  openings: number;
  probe: Probe | null;
};

function toDelivery({ n: _n, id, ...rest }: DueRow): DueDelivery[] {
  return id === null ? [] : [{ id, ...rest }];
}

/** Half-opens breakers, so that one worker sends their probes. Returns those of the deliveries whose breaker this call half-opened. */
export async function takeProbes(tx: Db, chosen: readonly DueDelivery[]): Promise<DueDelivery[]> {
  const [wholes, types] = (["whole", "type"] as const).map((probe) =>
    chosen.filter((each) => each.probe === probe),
  );
  const halfOpen = sql`state = 'HALF_OPEN', probe_at = now() + make_interval(secs => ${PROBE_MS / 1000})`;
  const isDue = sql`b.state <> 'CLOSED' and b.probe_at <= now()`;
  const { rows } = await tx.execute<{ breaker: string }>(sql`
    with whole as (
      update breakers b set ${halfOpen}
       where b.installation_id = any(${column(wholes, "installationId")}::uuid[]) and ${isDue} returning b.installation_id),
    type as (
      update type_breakers b set ${halfOpen}
        from (select distinct * from unnest(${column(types, "installationId")}::uuid[], ${column(types, "eventType")}::text[])
                                      t (installation_id, event_type)) t
       where b.installation_id = t.installation_id and b.event_type = t.event_type and ${isDue}
      returning b.installation_id, b.event_type)
    select installation_id || ' whole' as breaker from whole union all select installation_id || ' type ' || event_type from type`);
  const taken = new Set(rows.map(({ breaker }) => breaker));
  return chosen.filter(({ installationId, probe, eventType }) =>
    taken.has(probe === "whole" ? `${installationId} whole` : `${installationId} type ${eventType}`),
  );
}

function column<Name extends keyof DueDelivery>(rows: readonly DueDelivery[] = [], name: Name) {
  return sql.param(rows.map((row) => row[name]));
}

/** A claimed delivery. Its lease names its attempt. */
export type ClaimedRow = {
  id: string;
  attemptId: string;
  eventId: string;
  installationId: string;
  organizationId: string;
  routeId: string;
  /** The installation's current configuration revision and key epoch. */
  revision: number;
  epoch: number;
  /** The version and its ready instances, one of which answers this attempt. */
  versionId: string;
  replicas: Replica[];
  path: string;
  /** How many tries it used up, and how many attempts didn't use one. */
  tries: number;
  interruptions: number;
  /** The event's JSON, as the core sent it. */
  body: string;
  /** The `traceparent` and `tracestate` that the core sent with it. */
  traceParent: string | null;
  traceState: string | null;
  eventType: string;
  /** The name of its type's breaker. */
  queue: string;
  /** Sent from the console by a person. */
  test: boolean;
  recorded: boolean;
  /** How long it waited since it was due: months, if its installation was stopped. */
  queueMs: number;
  dueAt: Date;
  runningSince: Date | null;
  /** Since when the first of them was ready. */
  readyAt: Date | null;
  breakerClosedAt: Date | null;
  /** The last deliveries of its type or of its installation failed. */
  troubled: boolean;
  probe: Probe | null;
};

interface Claim {
  /** Each delivery with the id of its attempt. */
  wanted: readonly { id: string; attemptId: string }[];
  /** Those of them that an open breaker lets pass. */
  probes: readonly string[];
  /** Its `claim` is not used, because each delivery's lease names its attempt. */
  lease: Pick<Lease, "seconds" | "workerId">;
}

/**
 * Claims those of the deliveries that are still due and free. `skip locked`: concurrent workers claim different ones. A
 * delivery waits, without using up a try, while its breaker is open, except for the probe. Its lease names the attempt before
 * anything is sent, so an attempt whose worker died is known: it is recorded by the claim that takes over.
 */
export function claimDeliveries(pool: Pool, { wanted, probes, lease }: Claim): Promise<ClaimedRow[]> {
  const ids = wanted.map(({ id }) => id);
  const attemptIds = wanted.map(({ attemptId }) => attemptId);
  return runPrepared<ClaimedRow>(
    pool,
    "claim-deliveries",
    sql`
    with free as (
      select d.id, w.attempt_id, case when d.leased_until is not null then d.leased_by end as interrupted,
             t.closed_at, coalesce(t.failures, 0) as failures, coalesce(t.state <> 'CLOSED', false) as held
        from unnest(${sql.param(ids)}::uuid[], ${sql.param(attemptIds)}::uuid[]) as w (id, attempt_id)
        join deliveries d on d.id = w.id
        left join type_breakers t on t.installation_id = d.installation_id and t.event_type = d.event_type
       where d.state = 'PENDING' and d.next_attempt_at <= now()
         and (d.leased_until is null or d.leased_until < now())
         and (d.id = any(${sql.param(probes)}::uuid[]) or not exists (
              select from breakers b where b.installation_id = d.installation_id and b.state <> 'CLOSED')
              and (t.state is null or t.state = 'CLOSED'))
         for update of d skip locked),
    claimed as (
      update deliveries d
         set leased_until = ${endsIn(lease.seconds)}, leased_by = f.attempt_id, leased_worker = ${lease.workerId}::int
        from free f, events e, routes r,
             installations i
             join organizations o on o.id = i.organization_id
             cross join lateral (
                  select ${sql.raw(listReplicas("i.version_id"))} as replicas, min(r.ready_at) as ready_at from instances r
                   where r.version_id = i.version_id and r.state = 'READY' having count(*) > 0) n
             left join breakers b on b.installation_id = i.id
       where d.id = f.id and e.id = d.event_id and r.id = d.route_id and r.removed_at is null
         and i.id = d.installation_id and i.state = 'RUNNING'
      returning d.id, f.attempt_id as "attemptId", d.event_id as "eventId", d.installation_id as "installationId",
                i.organization_id as "organizationId", d.route_id as "routeId", i.revision, i.key_epoch as epoch,
                i.version_id as "versionId", n.replicas, r.path,
                d.attempt_count as tries, d.interruptions, e.body, e.trace_parent as "traceParent", e.trace_state as "traceState", e.type as "eventType", e.test,
                e.test or i.test or o.record_bodies as recorded,
                round(extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "queueMs",
                d.next_attempt_at as "dueAt", i.running_since as "runningSince", n.ready_at as "readyAt",
                d.event_type as queue, greatest(b.closed_at, f.closed_at) as "breakerClosedAt",
                coalesce(b.failures > 0, false) or f.failures > 0 as troubled,
                case when b.state <> 'CLOSED' then 'whole' when f.held then 'type' end as probe),
    recorded as (${recordInterrupted(sql`
      select id as delivery_id, interrupted as attempt_id from free where interrupted is not null`)})
    select * from claimed`,
  );
}

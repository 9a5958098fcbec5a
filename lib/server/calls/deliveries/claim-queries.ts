import { and, inArray, lte, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { breakers } from "@/drizzle/schema/calls";
import { PROBE_MS } from "@/lib/domain/calls/breaker";
import type { Due } from "@/lib/domain/calls/delivery";
import { type Db, runPrepared } from "../../platform/database/connect";
import { endsIn, type Lease } from "../../platform/lease-queries";
import type { Replica } from "../choose-replica";
import { recordInterrupted } from "../record-queries";
import { listReplicas } from "../route-queries";

/** A due delivery. `probe`: it tests whether an app whose breaker is open works again. */
export interface DueDelivery extends Due {
  probe: boolean;
}

interface Window {
  /** Installations with greater ids than this one. */
  after: string;
  /** The most installations with pending deliveries to visit. */
  visits: number;
  /** The most deliveries of each. */
  each: number;
}

/**
 * Due deliveries that no worker is sending, the oldest of each installation first. Installations that are stopped,
 * whose app is not ready, or whose breaker is open are left out. Jumps from installation to installation in the index,
 * however many deliveries each has. `last`: the last installation that was visited; undefined if it was the last one
 * that has pending deliveries.
 */
export async function selectDue(
  pool: Pool,
  { after, visits, each }: Window,
): Promise<{ due: DueDelivery[]; last: string | undefined }> {
  const rows = await runPrepared<DueRow>(
    pool,
    "select-due",
    sql`
    with recursive visited as (
      select 0 as n, ${after}::uuid as installation_id, null::timestamptz as next_attempt_at
      union all
      select v.n + 1, x.installation_id, x.next_attempt_at
        from visited v
       cross join lateral (
             select d.installation_id, d.next_attempt_at from deliveries d
              where d.state = 'PENDING' and d.installation_id > v.installation_id
              order by d.installation_id, d.next_attempt_at limit 1) x
       where v.n < ${visits}::int)
    select v.n, d.id, i.id as "installationId", i.version_id as "versionId", i.organization_id as "organizationId",
           coalesce(b.state <> 'CLOSED', false) as probe
      from visited v
      join installations i on i.id = v.installation_id and i.state = 'RUNNING'
      left join breakers b on b.installation_id = i.id
     cross join lateral (
           select d.id from deliveries d
            where d.state = 'PENDING' and d.installation_id = v.installation_id and d.next_attempt_at <= now()
              and (d.leased_until is null or d.leased_until < now())
            order by d.next_attempt_at
            limit case when b.state <> 'CLOSED' then 1 else ${each}::int end) d
     where v.next_attempt_at <= now() and (b.state is null or b.state = 'CLOSED' or b.probe_at <= now())
       and exists (select from instances s where s.version_id = i.version_id and s.state = 'READY')
     union all
    (select n, null, installation_id, null, null, null from visited order by n desc limit 1)`,
  );
  const end = rows.at(-1);
  return {
    due: rows.flatMap(toDelivery),
    last: end?.n === visits ? end.installationId : undefined,
  };
}

/** The last row contains only the last installation's id. */
type DueRow = {
  n: number;
  id: string | null;
  installationId: string;
  versionId: string;
  organizationId: string;
  probe: boolean;
};

function toDelivery({ id, installationId, versionId, organizationId, probe }: DueRow): DueDelivery[] {
  return id === null ? [] : [{ id, installationId, versionId, organizationId, probe }];
}

/** Half-opens breakers, so that one worker sends one delivery. Returns the installations that this call half-opened. */
export async function takeProbes(tx: Db, installationIds: readonly string[]): Promise<string[]> {
  const taken = await tx
    .update(breakers)
    .set({ state: "HALF_OPEN", probeAt: sql`now() + make_interval(secs => ${PROBE_MS / 1000})` })
    .where(
      and(
        inArray(breakers.installationId, [...installationIds]),
        sql`${breakers.state} <> 'CLOSED'`,
        lte(breakers.probeAt, sql`now()`),
      ),
    )
    .returning({ installationId: breakers.installationId });
  return taken.map(({ installationId }) => installationId);
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
  eventType: string;
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
  /** The last deliveries of its installation failed. */
  troubled: boolean;
  probe: boolean;
};

interface Claim {
  /** Each delivery with the id of its attempt. */
  wanted: readonly { id: string; attemptId: string }[];
  /** Installations whose breaker lets one delivery pass. */
  probed: readonly string[];
  /** Its `claim` is not used, because each delivery's lease names its attempt. */
  lease: Pick<Lease, "seconds" | "workerId">;
}

/**
 * Claims those of the deliveries that are still due and free. `skip locked`: concurrent workers claim different ones. A
 * delivery waits, without using up a try, while its breaker is open, except for the probe. Its lease names the attempt before
 * anything is sent, so an attempt whose worker died is known: it is recorded by the claim that takes over.
 */
export function claimDeliveries(pool: Pool, { wanted, probed, lease }: Claim): Promise<ClaimedRow[]> {
  const ids = wanted.map(({ id }) => id);
  const attemptIds = wanted.map(({ attemptId }) => attemptId);
  return runPrepared<ClaimedRow>(
    pool,
    "claim-deliveries",
    sql`
    with free as (
      select d.id, w.attempt_id, case when d.leased_until is not null then d.leased_by end as interrupted
        from unnest(${sql.param(ids)}::uuid[], ${sql.param(attemptIds)}::uuid[]) as w (id, attempt_id)
        join deliveries d on d.id = w.id
       where d.state = 'PENDING' and d.next_attempt_at <= now()
         and (d.leased_until is null or d.leased_until < now())
         and (d.installation_id = any(${sql.param(probed)}::uuid[]) or not exists (
              select from breakers b where b.installation_id = d.installation_id and b.state <> 'CLOSED'))
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
                d.attempt_count as tries, d.interruptions, e.body, e.type as "eventType", e.test,
                e.test or i.test or o.record_bodies as recorded,
                round(extract(epoch from now() - d.next_attempt_at) * 1000)::float8 as "queueMs",
                d.next_attempt_at as "dueAt", i.running_since as "runningSince", n.ready_at as "readyAt",
                b.closed_at as "breakerClosedAt", coalesce(b.failures > 0, false) as troubled,
                coalesce(b.state <> 'CLOSED', false) as probe),
    recorded as (${recordInterrupted(sql`
      select id as delivery_id, interrupted as attempt_id from free where interrupted is not null`)})
    select * from claimed`,
  );
}

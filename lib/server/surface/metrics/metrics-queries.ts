import { sql } from "drizzle-orm";
import { partBeats } from "@/drizzle/schema/platform";
import { AWAY_AFTER_MS } from "@/lib/domain/platform/availability";
import { BEFORE_ALL, visitQueues } from "../../calls/deliveries/claim-queries";
import { isWorking } from "../../platform/database/availability-queries";
import { runPrepared } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";

/** What one statement reads: the gauge, its label's value if it has one, and the value. */
export interface Reading {
  gauge:
    "due" | "leased" | "oldest" | "breakers" | "instances" | "parked" | "installations" | "workers" | "audit";
  label: string | null;
  value: number;
}

/** More entries of a queue than this are not counted: that would cost more, and say no more. */
const COUNTED = 20_000;
/** The queues of deliveries that are visited for the oldest, each by one step in their index. */
const VISITS = 5_000;

/**
 * The gauges of the whole platform, by one statement that reads only small indexes and small tables. Deliveries that wait for a
 * breaker, for a stopped installation or for an app that is not ready are not the platform's delay: `selectDue` leaves them out, too.
 * Without a mail server, no mail is due: they expire.
 */
export async function selectReadings({
  pool,
  environment,
}: Pick<Platform, "pool" | "environment">): Promise<Reading[]> {
  const sendsMail = environment.PLATFORM_SMTP_URL !== "";
  return runPrepared<{ gauge: Reading["gauge"]; label: string | null; value: number }>(
    pool,
    "metrics",
    sql`
    with recursive ${visitQueues(BEFORE_ALL, VISITS)},
    sendable as (
      select min(v.next_attempt_at) as since
        from visited v
        join installations i on i.id = v.installation_id and i.state = 'RUNNING'
       where v.next_attempt_at <= now()
         and not exists (select from breakers b where b.installation_id = i.id and b.state <> 'CLOSED')
         and not exists (select from type_breakers t
                          where t.installation_id = i.id and t.event_type = v.event_type and t.state <> 'CLOSED')
         and exists (select from instances s where s.version_id = i.version_id and s.state = 'READY')),
    entries (queue, since, leased_until) as (
      (select 'deliveries', next_attempt_at, leased_until from deliveries where state = 'PENDING' limit ${COUNTED}::int)
      union all
      (select 'installations', updated_at, leased_until from installations
        where state in ('LAUNCHING', 'STOPPING', 'UNINSTALLING') limit ${COUNTED}::int)
      union all
      (select 'upgrades', created_at, leased_until from upgrades where state in ('STARTING', 'DRAINING') limit ${COUNTED}::int)
      union all
      (select 'logExcerpts', created_at, leased_until from log_excerpts where state = 'WAITING' limit ${COUNTED}::int)
      union all
      (select 'mails', case when ${sendsMail} then due_at else 'infinity' end, leased_until from mails where state = 'QUEUED' limit ${COUNTED}::int)
      union all
      (select 'evidence', queued_at, leased_until from evidence where state in ('QUEUED', 'RUNNING') limit ${COUNTED}::int)
      union all
      (select 'configurationChecks', created_at, leased_until from configuration_checks where state <> 'ENDED' limit ${COUNTED}::int)
      union all
      (select 'organizationDomains', next_check_at, leased_until from organization_domains
        where next_check_at <= now() limit ${COUNTED}::int)
      union all
      -- A log is followed for as long as its instance runs, and then until it is stored.
      (select 'instanceLogs', coalesce(i.ended_at, 'infinity'), l.leased_until
         from instance_logs l join instances i on i.id = l.id where l.closed_at is null limit ${COUNTED}::int)),
    queues as (
      select queue, count(*) filter (where since <= now()) as due, count(*) filter (where leased_until > now()) as leased,
             min(since) filter (where since <= now() and (leased_until is null or leased_until <= now())) as since
        from entries group by queue)
    select 'due' as gauge, queue as label, due::float8 as value from queues
     union all select 'leased', queue, leased from queues
     union all select 'oldest', queue,
           greatest(0, coalesce(extract(epoch from now() - case queue when 'deliveries' then (select since from sendable) else since end), 0))
      from queues
     union all select 'breakers', 'installation', count(*) from breakers where state <> 'CLOSED'
     union all select 'breakers', 'event_type', count(*) from type_breakers where state <> 'CLOSED'
     union all select 'instances', state::text, count(*) from instances where state not in ('FAILED', 'STOPPED') group by state
     union all select 'parked', null, count(*) from parkings where ended_at is null
     union all select 'installations', null, count(*) from installations where state = 'ERROR'
     union all select 'workers', null, count(*) from ${partBeats} where ${isWorking(AWAY_AFTER_MS, "worker")}
     union all select 'audit', null, coalesce(sum(position), 0) from audit_heads`,
  );
}

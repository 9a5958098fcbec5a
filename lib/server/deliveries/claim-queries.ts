import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { breakers, deliveries, events } from "@/drizzle/schema/deliveries";
import { installations, instances, routes } from "@/drizzle/schema/installations";
import { organizations } from "@/drizzle/schema/organizations";
import { PROBE_MS } from "@/lib/domain/circuit-breaker";
import type { Due } from "@/lib/domain/lane-shares";
import type { Db } from "../database/connect";
import { isFree, leaseTo } from "../leases/queries";

/** A due delivery. `probe`: it finds out whether an app whose breaker is open works again. */
export interface DueDelivery extends Due {
  probe: boolean;
}

interface Window {
  /** Installations with greater ids than this one. */
  after: string;
  /** At most so many installations that have pending deliveries. */
  visits: number;
  /** At most so many deliveries of each. */
  each: number;
}

/**
 * Due deliveries that nobody sends, the oldest of each installation first. One that is stopped, whose app is not ready, or
 * whose breaker is open, is left out. Jumps from installation to installation in the index, however many deliveries each
 * has. `last`: the last installation that was visited; undefined if it was the last one that has pending deliveries.
 */
export async function selectDue(
  db: Db,
  { after, visits, each }: Window,
): Promise<{ due: DueDelivery[]; last: string | undefined }> {
  const { rows } = await db.execute<DueRow>(
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
       where v.n < ${visits})
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
            limit case when b.state <> 'CLOSED' then 1 else ${each} end) d
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

/** The last row only names the last installation. */
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

export type ClaimedRow = Awaited<ReturnType<typeof claimDeliveries>>[number];

/** A delivery waits, without using up a try, while its breaker is open, except for the probe. */
const breakerClosed = sql`not exists (
  select from breakers b where b.installation_id = d.installation_id and b.state <> 'CLOSED')`;

/** Claims those of the deliveries that are still due and free. `skip locked`: concurrent workers claim different ones. */
export async function claimDeliveries(
  tx: Db,
  ids: readonly string[],
  probed: readonly string[],
  claim: string,
  leaseSeconds: number,
) {
  const free = sql`(
    select d.id from deliveries d
     where d.id = any(${sql.param(ids)}::uuid[]) and d.state = 'PENDING' and d.next_attempt_at <= now()
       and (d.leased_until is null or d.leased_until < now())
       and (d.installation_id = any(${sql.param(probed)}::uuid[]) or ${breakerClosed})
       for update skip locked)`;
  return tx
    .update(deliveries)
    .set(leaseTo(claim, leaseSeconds))
    .from(events)
    .innerJoin(routes, sql`${routes.removedAt} is null`)
    .innerJoin(installations, eq(installations.state, "RUNNING"))
    .innerJoin(organizations, eq(organizations.id, installations.organizationId))
    .innerJoin(instances, and(eq(instances.versionId, installations.versionId), eq(instances.state, "READY")))
    .leftJoin(breakers, eq(breakers.installationId, installations.id))
    .where(
      and(
        sql`${deliveries.id} in ${free}`,
        isFree("deliveries"),
        eq(events.id, deliveries.eventId),
        eq(routes.id, deliveries.routeId),
        eq(installations.id, deliveries.installationId),
      ),
    )
    .returning({
      id: deliveries.id,
      eventId: deliveries.eventId,
      installationId: deliveries.installationId,
      organizationId: installations.organizationId,
      routeId: deliveries.routeId,
      /** The installation's configuration revision and key epoch now. */
      revision: installations.revision,
      epoch: installations.keyEpoch,
      /** The version and its instance that answer this attempt. */
      versionId: installations.versionId,
      instanceId: instances.id,
      origin: instances.origin,
      path: routes.path,
      /** The tries that it used, and the attempts that used none. */
      tries: deliveries.attemptCount,
      interruptions: deliveries.interruptions,
      /** The event's JSON, as the core sent it. */
      body: events.body,
      eventType: events.type,
      /** Sent from the console by a person. */
      test: events.test,
      recorded: sql<boolean>`${events.test} or ${installations.test} or ${organizations.recordBodies}`,
      /** How long it waited since it was due: months, if its installation was stopped. */
      queueMs: sql<number>`round(extract(epoch from now() - ${deliveries.nextAttemptAt}) * 1000)::float8`,
      dueAt: deliveries.nextAttemptAt,
      runningSince: installations.runningSince,
      readyAt: instances.readyAt,
      breakerClosedAt: breakers.closedAt,
      /** The last deliveries of its installation failed. */
      troubled: sql<boolean>`coalesce(${breakers.failures} > 0, false)`,
      probe: sql<boolean>`coalesce(${breakers.state} <> 'CLOSED', false)`,
    });
}

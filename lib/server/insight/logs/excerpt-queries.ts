import { and, eq, sql, type SQL } from "drizzle-orm";
import { attempts } from "@/drizzle/schema/calls";
import { listings } from "@/drizzle/schema/catalog";
import { logExcerpts } from "@/drizzle/schema/insight";
import { installations } from "@/drizzle/schema/installations";
import type { Db } from "../../platform/database/connect";
import { type Lease, type Leased, setLease } from "../../platform/lease-queries";

/** Apps write a little before and after what the platform sees of a call. */
const SLACK = sql`interval '1 second'`;

/** The publisher of a call's app, and whether the call has ended. */
export async function selectPublisher(db: Db, organizationId: string, attemptId: string) {
  const [found] = await db
    .select({
      publisherId: listings.organizationId,
      ended: sql<boolean>`${attempts.durationMs} is not null`,
    })
    .from(attempts)
    .innerJoin(installations, eq(installations.id, attempts.installationId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .where(and(eq(attempts.id, attemptId), eq(attempts.organizationId, organizationId)));
  return found;
}

/** The version that answered attempt `a` of installation `i`: hooks of an upgrade go to the new one before the switch. */
const VERSION = sql`coalesce(
  case when a.kind = 'lifecycle' then (
    select u.to_version_id from upgrades u
     where u.installation_id = i.id and u.created_at <= a.started_at
       and a.started_at < coalesce(u.switched_at, u.ended_at, 'infinity')
     order by u.created_at desc limit 1) end,
  (select u.to_version_id from upgrades u
    where u.installation_id = i.id and u.switched_at <= a.started_at order by u.switched_at desc limit 1),
  (select u.from_version_id from upgrades u
    where u.installation_id = i.id and u.switched_at > a.started_at order by u.switched_at limit 1),
  i.version_id)`;

const ENDED_AT = sql`coalesce(a.ended_at, a.started_at + a.duration_ms * interval '1 millisecond')`;

/** Asks for the excerpts of these attempts, once. Of a call that names no instance, the newest that lived then answered. */
function insertFrom(found: SQL): SQL {
  return sql`
    insert into log_excerpts (attempt_id, instance_id)
    select a.id, coalesce((select n.id from instances n where n.id = a.instance_id), (select n.id from instances n
                   where n.version_id = ${VERSION} and n.created_at <= ${ENDED_AT}
                     and (n.ended_at is null or n.ended_at >= a.started_at - ${SLACK})
                   order by n.created_at desc limit 1))
      from (${found}) a
      join installations i on i.id = a.installation_id
     on conflict do nothing`;
}

export async function insertRequest(tx: Db, attemptId: string): Promise<void> {
  await tx.execute(insertFrom(sql`select * from attempts where id = ${attemptId}`));
}

/** How many of the newest calls are looked at, and how many excerpts one round asks for. */
const LOOKED_AT = 500;
const MOST_FAILURES = 20;

/** Asks for the excerpts of calls that failed a moment ago, if somebody may read them. */
export async function insertFailures(db: Db): Promise<void> {
  const newest = sql`select * from attempts order by id desc limit ${LOOKED_AT}`;
  await db.execute(
    insertFrom(sql`
      select t.* from (${newest}) t
        join installations j on j.id = t.installation_id
        join listings l on l.id = j.listing_id and l.organization_id = j.organization_id
       where t.failure is not null and t.ended_at > now() - interval '1 minute' and t.fault is distinct from 'app-not-running'
         and not exists (select from log_excerpts x where x.attempt_id = t.id)
       order by t.id desc limit ${MOST_FAILURES}`),
  );
}

/** Its id is the attempt's. */
export interface ClaimedExcerpt extends Leased {
  /** Null if no instance ran then, or if it is forgotten. */
  instance: { versionId: string; runtime: string; handle: string | null } | null;
  /** How long ago the period began and ended, in milliseconds: the database's clock is not the worker's. */
  fromAgeMs: number;
  untilAgeMs: number;
}

/** Claims excerpts whose period is over. `skip locked`: concurrent workers claim different ones. */
export async function claimExcerpts(db: Db, limit: number, lease: Lease): Promise<ClaimedExcerpt[]> {
  const { rows } = await db.execute<{
    id: string;
    versionId: string | null;
    runtime: string | null;
    handle: string | null;
    fromAgeMs: number;
    untilAgeMs: number;
  }>(sql`
    with due as (
      select x.attempt_id, x.instance_id, a.started_at - ${SLACK} as from_at, ${ENDED_AT} + ${SLACK} as until_at
        from log_excerpts x join attempts a on a.id = x.attempt_id
       where x.state = 'WAITING' and (x.leased_until is null or x.leased_until < now())
         and ${ENDED_AT} + ${SLACK} < now()
       order by x.created_at limit ${limit} for update of x skip locked)
    update log_excerpts x set ${setLease(lease)}
      from due left join instances n on n.id = due.instance_id
     where x.attempt_id = due.attempt_id
    returning x.attempt_id as id, n.version_id as "versionId", n.runtime, n.handle,
              (extract(epoch from clock_timestamp() - due.from_at) * 1000)::float8 as "fromAgeMs",
              (extract(epoch from clock_timestamp() - due.until_at) * 1000)::float8 as "untilAgeMs"`);
  return rows.map(({ versionId, runtime, handle, ...row }) => ({
    ...row,
    claim: lease.claim,
    instance: versionId === null || runtime === null ? null : { versionId, runtime, handle },
  }));
}

/** Null: the log of that moment does not exist anymore. */
export async function storeExcerpt(
  db: Db,
  attemptId: string,
  read: { text: string; cut: boolean } | null,
): Promise<void> {
  await db
    .update(logExcerpts)
    .set({ state: read === null ? "GONE" : "READ", leasedUntil: null, ...read })
    .where(and(eq(logExcerpts.attemptId, attemptId), eq(logExcerpts.state, "WAITING")));
}

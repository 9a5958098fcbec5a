import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import { listingDays } from "@/drizzle/schema/insight";
import { CUSTOMER_DAYS, type ListingDay } from "@/lib/domain/insight/listing-figures";
import { countsAsOwn } from "../../accounts/member-queries";
import { listedIn } from "../../catalog/access-queries";
import { type Db, tryLock } from "../../platform/database/connect";
import { DAY_MS } from "../../platform/retention-queries";

/** Only calls from the core, as `r`: anybody can make those of endpoints fail, and the platform itself calls hooks. */
const FROM_CORE = sql.raw(`r.kind in ('webhook', 'autofill', 'rater')`);

/**
 * The installations that count at this time: of customers who have had the app for a week, and for whom it has answered a call. Not what
 * counts as the publisher's own; neither Test Launches nor automatic checks, nor pilots, who run what is not verified.
 */
const countedAt = (at: Date) => sql`
  select i.id, i.listing_id, i.organization_id, i.version_id, i.state
    from installations i
    join listings l on l.id = i.listing_id
    -- A few rows of one organization's hours, for each installation.
    cross join lateral (
         select from call_hours h
           join routes r on r.id = h.route_id, unnest(h.calls, h.failed) entry(calls, failed)
          where h.organization_id = i.organization_id and h.installation_id = i.id and not h.test
            and ${FROM_CORE} and entry.calls > entry.failed
          limit 1) answered
   where i.created_at <= ${new Date(at.getTime() - CUSTOMER_DAYS * DAY_MS).toISOString()}
     and not i.test and i.evidence_id is null
     and not ${countsAsOwn(sql`i.organization_id`, sql`l.organization_id`)}
     and exists (select from versions v where v.id = i.version_id and v.verified_at is not null)`;

const IS_INSTALLED = sql.raw(`i.state <> 'UNINSTALLED'`);

/** False if another worker counts. Held until the end of the transaction. */
export function lockListingDays(tx: Db): Promise<boolean> {
  return tryLock(tx, "listing-days");
}

/** The day after the last one that has something; at first, the day of the first hour that is counted. */
export async function selectNextDay(db: Db): Promise<Date | undefined> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select coalesce((select max(day) + interval '24 hours' from listing_days),
                    (select date_trunc('day', min(hour), 'UTC') from call_hours)) as day`);
  const day = rows[0]?.day ?? undefined;
  return day === undefined ? undefined : new Date(day);
}

export async function insertCallsOfDay(tx: Db, from: Date, to: Date): Promise<void> {
  await tx.execute(sql`
    with customers as materialized (${countedAt(to)}),
         counted as (
           select i.listing_id, entry.bucket, sum(entry.calls)::int as calls, sum(entry.failed)::int as failed
             from call_hours h
             join routes r on r.id = h.route_id
             join customers i on i.id = h.installation_id,
                  unnest(h.latencies, h.calls, h.failed) entry(bucket, calls, failed)
            where h.hour >= ${from.toISOString()} and h.hour < ${to.toISOString()} and not h.test
              and ${FROM_CORE}
            group by 1, 2)
    insert into listing_days (listing_id, day, latencies, calls, failed)
    select listing_id, ${from.toISOString()}, array_agg(bucket), array_agg(calls), sum(failed)
      from counted group by listing_id
        on conflict (listing_id, day) do update
       set latencies = excluded.latencies, calls = excluded.calls, failed = excluded.failed`);
}

/** The versions that customers of each listing have installed, who counted at this time. */
export async function selectUsedVersions(tx: Db, at: Date): Promise<Map<string, string[]>> {
  const { rows } = await tx.execute<{ id: string; versions: string[] }>(sql`
    select i.listing_id as id, array_agg(distinct i.version_id) as versions
      from (${countedAt(at)}) i
     where ${IS_INSTALLED}
     group by i.listing_id`);
  return new Map(rows.map(({ id, versions }) => [id, versions]));
}

export async function writeHealthOfDay(
  tx: Db,
  listingId: string,
  day: Date,
  health: Pick<ListingDay, "wantedMs" | "healthyMs">,
): Promise<void> {
  await tx
    .insert(listingDays)
    .values({ listingId, day, ...health })
    .onConflictDoUpdate({ target: [listingDays.listingId, listingDays.day], set: health });
}

export async function deleteDays(tx: Db, before: Date): Promise<void> {
  await tx.delete(listingDays).where(lt(listingDays.day, before));
}

/** In the order of days. */
export async function selectListingDays(db: Db, listingId: string, since: Date): Promise<ListingDay[]> {
  return db
    .select({
      latencies: listingDays.latencies,
      calls: listingDays.calls,
      failed: listingDays.failed,
      wantedMs: listingDays.wantedMs,
      healthyMs: listingDays.healthyMs,
    })
    .from(listingDays)
    .where(and(eq(listingDays.listingId, listingId), gte(listingDays.day, since)))
    .orderBy(asc(listingDays.day));
}

/** How many customers have each listing installed that everyone finds; fewer than `least` count as none, so that nobody learns of a single one. */
export async function countUsers(db: Db, least: number, now: Date): Promise<void> {
  await db.execute(sql`
    with used as (
           select i.listing_id as id, count(distinct i.organization_id)::int as count
             from (${countedAt(now)}) i join listings l on l.id = i.listing_id
            where ${IS_INSTALLED} and ${sql.raw(listedIn("l"))}
            group by i.listing_id having count(distinct i.organization_id) >= ${least}),
         changed as (
           select l.id, coalesce(used.count, 0) as count
             from listings l left join used on used.id = l.id
            where l.used_by <> coalesce(used.count, 0))
    update listings set used_by = changed.count from changed where listings.id = changed.id`);
}

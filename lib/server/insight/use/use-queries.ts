/** How an app is found and used over a month, for its publisher: other organizations only, and no names. */
import { sql } from "drizzle-orm";
import type { UninstallReason } from "@/lib/contract/catalog/installation-states";
import type { VisitKind } from "@/drizzle/schema/insight";
import { countsAsOwn } from "../../accounts/member-queries";
import { publicIn } from "../../catalog/access-queries";
import type { Db } from "../../platform/database/connect";
import { DAY_MS, inBatches } from "../../platform/retention-queries";
import { periodsOf } from "../health/history-queries";

interface Visitor {
  listingId: string;
  day: string;
  kind: VisitKind;
  visitor: string;
  /** Others are only remembered, so that they don't count later. */
  isCounted: boolean;
}

/** More are not counted on one day, whatever is sent: a flood fills no table. */
const MOST_VISITORS = 50_000;

export async function insertVisitor(
  db: Db,
  { listingId, day, kind, visitor, isCounted }: Visitor,
): Promise<void> {
  await db.execute(sql`
    with added as (
      insert into listing_visitors (listing_id, day, kind, visitor)
      select l.id, ${day}::date, ${kind}::visit_kind, ${visitor} from listings l
       where l.id = ${listingId} and ${sql.raw(publicIn("l"))} and coalesce((
               select visitors from visit_days
                where listing_id = ${listingId} and day = ${day} and kind = ${kind}::visit_kind), 0) < ${MOST_VISITORS}
      on conflict do nothing returning 1)
    insert into visit_days (listing_id, day, kind, visitors)
    select ${listingId}::uuid, ${day}::date, ${kind}::visit_kind, 1 from added where ${isCounted}
    on conflict (listing_id, day, kind) do update set visitors = visit_days.visitors + 1`);
}

interface OwnListing {
  id: string;
  organizationId: string;
}

const customersOf = ({ id, organizationId }: OwnListing) =>
  sql`i.listing_id = ${id} and not i.test and not ${countsAsOwn(sql`i.organization_id`, organizationId)}`;

/**
 * Of the days from `from` on, in organizations (and networks, as far as they only look), each once a day. A launch that was finished was
 * started, also by a request without the page: so no day has more of the former.
 */
export async function selectFunnel(db: Db, listing: OwnListing, from: Date) {
  const { rows } = await db.execute<{ views: number; started: number; finished: number }>(sql`
    with counted as (
           select day, case when kind = 'view' then visitors else 0 end as views,
                  case when kind = 'launch' then visitors else 0 end as started, 0 as finished
             from visit_days where listing_id = ${listing.id} and day >= ${from.toISOString()}::date
            union all
           select (i.created_at at time zone 'UTC')::date, 0, 0, count(distinct i.organization_id)
             from installations i
            where ${customersOf(listing)} and i.evidence_id is null and i.created_at >= ${from.toISOString()}
            group by 1),
         days as (
           select sum(views) as views, greatest(sum(started), sum(finished)) as started, sum(finished) as finished
             from counted group by day)
    select coalesce(sum(views), 0)::int as views, coalesce(sum(started), 0)::int as started,
           coalesce(sum(finished), 0)::int as finished
      from days`);
  return rows[0] ?? { views: 0, started: 0, finished: 0 };
}

/** How many installations used each version at the end of each day, or now. */
export async function selectInstallationsByDay(db: Db, listing: OwnListing, from: Date) {
  const { rows } = await db.execute<{ day: string; number: string; installations: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, v.number, count(*)::int as installations
      from generate_series(${from.toISOString()}::date, now()::date, interval '1 day') d(day)
      join (${periodsOf(customersOf(listing))}) p on true
      join installations i on i.id = p.installation_id
      join versions v on v.id = p.version_id
     where coalesce(p."from", i.created_at) < least(d.day + interval '1 day', now())
       and coalesce(p."to", case when i.state = 'UNINSTALLED' then i.updated_at end, 'infinity')
           >= least(d.day + interval '1 day', now())
     group by 1, 2`);
  return rows;
}

/** Calls and failures of each version since then, each call for the version that it was sent to; whole hours that are over. */
export async function selectCallsByVersion(db: Db, listing: OwnListing, from: Date) {
  const { rows } = await db.execute<{ number: string; calls: number; failed: number }>(sql`
    with periods as materialized (${periodsOf(customersOf(listing))})
    select v.number, sum((select sum(each) from unnest(h.calls) each))::int as calls,
           sum((select sum(each) from unnest(h.failed) each))::int as failed
      from periods p
      join call_hours h on h.organization_id = p.organization_id and h.installation_id = p.installation_id
       and h.hour >= ${from.toISOString()} and not h.test
       and (p."from" is null or h.hour + interval '1 hour' >= p."from")
       and (p."to" is null or h.hour + interval '1 hour' < p."to")
      join versions v on v.id = p.version_id
     group by v.id order by string_to_array(v.number, '.')::numeric[] desc`);
  return rows;
}

/** Why customers left, what the last of them wrote, and how many more wrote something. */
export async function selectUninstallAnswers(db: Db, listingId: string, from: Date, comments: number) {
  const { rows } = await db.execute<{
    reason: UninstallReason;
    count: number;
    comments: Comment[] | null;
    moreComments: number;
  }>(sql`
    with answers as (
      select a.*, v.number, row_number() over (partition by a.comment <> '' order by a.at desc) place
        from uninstall_answers a join versions v on v.id = a.version_id
       where a.listing_id = ${listingId} and a.at >= ${from.toISOString()})
    select reason, count(*)::int as count,
           json_agg(json_build_object('text', comment, 'number', number, 'at', at) order by at desc)
             filter (where comment <> '' and place <= ${comments}) as comments,
           (count(*) filter (where comment <> '' and place > ${comments}))::int as "moreComments"
      from answers group by reason order by count(*) desc, reason`);
  return rows.map(({ comments: written, ...row }) => ({ ...row, comments: written ?? [] }));
}

interface Comment {
  text: string;
  number: string;
  /** ISO 8601. */
  at: string;
}

/** Names of visitors are needed only on their day, in whatever zone; counts for a year. */
async function deleteDays(tx: Db, table: "listing_visitors" | "visit_days", cutoff: Date, limit: number) {
  const { rowCount } = await tx.execute(sql`
    delete from ${sql.raw(table)} where ctid in (
      select ctid from ${sql.raw(table)} where day < ${cutoff.toISOString()}::date limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}

export const VISIT_RETENTION = [
  inBatches("listingVisitors", DAY_MS, (tx, cutoff, limit) =>
    deleteDays(tx, "listing_visitors", cutoff, limit),
  ),
  inBatches("visitDays", 400 * DAY_MS, (tx, cutoff, limit) => deleteDays(tx, "visit_days", cutoff, limit)),
];

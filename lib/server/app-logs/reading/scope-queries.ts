import { and, eq, sql } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/listings";
import type { Db } from "../../database/connect";

/** A version of one of the organization's own apps. */
export async function selectOwnVersion(db: Db, organizationId: string, listingId: string, versionId: string) {
  const [found] = await db
    .select({ number: versions.number, appName: listings.appName })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(
      and(
        eq(versions.id, versionId),
        eq(listings.id, listingId),
        eq(listings.organizationId, organizationId),
      ),
    );
  return found;
}

/** When the last line of each version of a listing was written, for those that have lines. */
export async function selectLastLines(db: Db, listingId: string): Promise<Map<string, Date>> {
  const { rows } = await db.execute<{ versionId: string; at: string }>(sql`
    select v.id as "versionId", l.at
      from versions v
     cross join lateral (select at from log_lines where version_id = v.id order by at desc, id desc limit 1) l
     where v.listing_id = ${listingId}`);
  return new Map(rows.map(({ versionId, at }) => [versionId, new Date(at)]));
}

/** Events are kept long, and an app that flaps has many. */
const READ_EVENTS = 2_000;
const LISTED_INSTANCES = 50;

/** The instances of a version that something was noted of lately, the newest first. */
export async function selectInstances(db: Db, versionId: string) {
  const { rows } = await db.execute<{ id: string; startedAt: string; endedAt: string | null }>(sql`
    select instance_id as id, min(at) as "startedAt", max(at) filter (where kind in ('failed', 'stopped')) as "endedAt"
      from (select instance_id, at, kind from instance_events
             where version_id = ${versionId} order by at desc, id desc limit ${READ_EVENTS}) e
     group by instance_id
     order by min(at) desc
     limit ${LISTED_INSTANCES}`);
  return rows.map(({ id, startedAt, endedAt }) => ({
    id,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
  }));
}

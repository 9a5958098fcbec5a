import { asc, desc, inArray, sql, type SQL } from "drizzle-orm";
import { instanceEvents } from "@/drizzle/schema/runtime";
import type { InstanceEvent } from "@/lib/domain/insight/health-history";
import type { Db } from "../../platform/database/connect";
import { DAY_MS, inBatches } from "../../platform/retention-queries";

/** When an installation used a version. Null: from its beginning on, or until now. */
export interface VersionPeriod {
  installationId: string;
  organizationId: string;
  versionId: string;
  from: Date | null;
  to: Date | null;
}

/**
 * A query of `installation_id`, `organization_id`, `version_id`, `from` and `to`: which versions installations used, and when.
 * @param among a condition for the installations, as `i`
 */
export function periodsOf(among: SQL): SQL {
  return sql`
    with among as (
           select id, organization_id, version_id from installations i where i.evidence_id is null and ${among}),
         switches as (
           select installation_id, from_version_id, to_version_id, switched_at as at
             from upgrades where switched_at is not null and installation_id in (select id from among)),
         periods as (
           select installation_id, to_version_id as version_id, at as "from",
                  lead(at) over (partition by installation_id order by at) as "to"
             from switches
            union all
           select i.id, coalesce(first.from_version_id, i.version_id), null, first.at
             from among i
             left join lateral (
                    select * from switches s where s.installation_id = i.id order by s.at limit 1) first on true)
    select p.installation_id, i.organization_id, p.version_id, p."from", p."to"
      from periods p join among i on i.id = p.installation_id`;
}

/** Which versions installations used, and when; not those of automatic checks, and of a version not its trials. Oldest first. */
export async function selectPeriods(
  db: Db,
  which: { versionId: string } | { installationId: string },
): Promise<VersionPeriod[]> {
  const among =
    "installationId" in which
      ? sql`i.id = ${which.installationId}`
      : sql`i.listing_id = (select listing_id from versions where id = ${which.versionId})
            and not exists (select from tenants t where t.id = i.tenant_id and t.trial_ends_at is not null)`;
  const { rows } = await db.execute<{
    installation_id: string;
    organization_id: string;
    version_id: string;
    from: string | null;
    to: string | null;
  }>(sql`
    select * from (${periodsOf(among)}) p
     where ${"versionId" in which ? sql`p.version_id = ${which.versionId}` : sql`true`}
     order by p."from" nulls first`);
  return rows.map((row) => ({
    installationId: row.installation_id,
    organizationId: row.organization_id,
    versionId: row.version_id,
    from: row.from === null ? null : new Date(row.from),
    to: row.to === null ? null : new Date(row.to),
  }));
}

/** Far more than a month of crashes, with the pauses between them. Of more, the newest count. */
const MOST_EVENTS = 20_000;

/** Everything that is known of the instances of each version, in its order. */
export async function selectEvents(
  db: Db,
  versionIds: readonly string[],
): Promise<Map<string, InstanceEvent[]>> {
  const newest = db
    .select()
    .from(instanceEvents)
    .where(inArray(instanceEvents.versionId, [...versionIds]))
    .orderBy(desc(instanceEvents.id))
    .limit(MOST_EVENTS)
    .as("newest");
  const rows = await db.select().from(newest).orderBy(asc(newest.id));
  const byVersion = new Map<string, InstanceEvent[]>(versionIds.map((id) => [id, []]));
  for (const { versionId, instanceId, at, kind, reasonCode, reason } of rows)
    byVersion.get(versionId)?.push({ instanceId, at: at.getTime(), kind, code: reasonCode, reason });
  return byVersion;
}

/**
 * Deletes what happened to instances before `cutoff`, except for what says in which state a version was at that time: its last
 * event, and the last ones of instances that ran. Returns how many.
 */
async function deleteInstanceEvents(tx: Db, cutoff: Date, limit: number): Promise<number> {
  const before = cutoff.toISOString();
  const { rowCount } = await tx.execute(sql`
    delete from instance_events where (version_id, id) in (
      select version_id, id from instance_events e
       where at < ${before} and exists (
               select 1 from instance_events later
                where later.version_id = e.version_id and later.id > e.id and later.at < ${before}
                  and (later.instance_id = e.instance_id or e.kind in ('failed', 'stopped')))
       order by at limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}

/** As far as the health of an app is shown, and a little more. */
export const EVENTS_RETENTION = inBatches("instanceEvents", 31 * DAY_MS, deleteInstanceEvents);

import { and, gte, lt, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { callHours } from "@/drizzle/schema/call-hours";
import { attempts } from "@/drizzle/schema/deliveries";
import { HOUR_MS } from "@/lib/domain/call-range";
import type { ChartedCalls } from "../call-log/chart-queries";
import { withinRange } from "../call-log/queries";
import type { Db } from "../database/connect";

/** When an installation used a version. Null: from its beginning on, or until now. */
export interface VersionPeriod {
  installationId: string;
  organizationId: string;
  versionId: string;
  from: Date | null;
  to: Date | null;
}

/** Which versions installations used, and when; not those of automatic checks. Oldest first. */
export async function selectPeriods(
  db: Db,
  which: { versionId: string } | { installationId: string },
): Promise<VersionPeriod[]> {
  const { rows } = await db.execute<{
    installation_id: string;
    organization_id: string;
    version_id: string;
    from: string | null;
    to: string | null;
  }>(sql`
    with among as (
           select id, organization_id, version_id from installations i
            where i.evidence_id is null and ${
              "installationId" in which
                ? sql`i.id = ${which.installationId}`
                : sql`i.listing_id = (select listing_id from versions where id = ${which.versionId})`
            }),
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
      from periods p join among i on i.id = p.installation_id
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

/**
 * The calls that were sent to a version, of all organizations. A counted hour belongs to the version that the installation used at
 * its end.
 */
export function callsOfPeriods(periods: readonly VersionPeriod[]): ChartedCalls {
  const column = (read: (period: VersionPeriod) => string | null) => sql.param(periods.map(read));
  const ids = column(({ installationId }) => installationId);
  const isWithin = (installationId: AnyPgColumn, moment: SQL) => sql`exists (
    select 1 from unnest(${ids}::uuid[], ${column(({ from }) => from?.toISOString() ?? null)}::timestamptz[],
                         ${column(({ to }) => to?.toISOString() ?? null)}::timestamptz[]) p(id, "from", "to")
     where p.id = ${installationId} and (p."from" is null or ${moment} >= p."from")
       and (p."to" is null or ${moment} < p."to"))`;
  const organizationIds = [...new Set(periods.map(({ organizationId }) => organizationId))];
  return {
    attempts: (range) =>
      and(
        sql`${attempts.installationId} = any(${ids}::uuid[])`,
        withinRange(attempts.id, range),
        isWithin(attempts.installationId, sql`${attempts.startedAt}`),
      ),
    hours: ({ from, to }) =>
      and(
        sql`${callHours.organizationId} = any(${sql.param(organizationIds)}::uuid[])`,
        gte(callHours.hour, from),
        lt(callHours.hour, to),
        isWithin(
          callHours.installationId,
          sql`(${callHours.hour} + ${sql.raw(`interval '${HOUR_MS} milliseconds'`)})`,
        ),
      ),
  };
}

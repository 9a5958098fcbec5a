import { and, gte, lt, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { callHours } from "@/drizzle/schema/call-hours";
import { attempts } from "@/drizzle/schema/deliveries";
import { HOUR_MS } from "@/lib/domain/call-range";
import type { ChartedCalls } from "../call-log/chart-queries";
import { withinRange } from "../call-log/queries";
import type { VersionPeriod } from "./period-queries";

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

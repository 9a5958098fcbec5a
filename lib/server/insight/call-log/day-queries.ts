/** Calls of the last 24 hours by whatever a list has rows of: from counted hours, and from the calls since. */
import { sql, type SQL } from "drizzle-orm";
import { firstIdAt } from "@/lib/contract/platform/text";
import { type CallsOfDay, HOURS_OF_DAY, toCallsOfDay } from "@/lib/domain/insight/calls-of-day";
import { HOUR_MS } from "@/lib/domain/calls/call-range";
import type { Db } from "../../platform/database/connect";
import { firstIdOf } from "../../platform/database/expressions";

/**
 * @param among rows of `id` and `organization_id` of installations, the `key` of the row that shows their calls, and from when
 *   until when they do (`since`, `until`; null: always). A counted hour belongs to the row at its end.
 * @param withTests whether test calls count that a member sent from the console
 */
export async function selectCallsOfDay(
  db: Db,
  among: SQL,
  { withTests, now = new Date() }: { withTests: boolean; now?: Date },
): Promise<Map<string, CallsOfDay>> {
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const from = new Date(current - (HOURS_OF_DAY - 1) * HOUR_MS).toISOString();
  const isCounted = (column: SQL) => (withTests ? sql`true` : sql`not ${column}`);
  const { rows } = await db.execute<{ key: string; ago: number[]; calls: number[]; failed: number[] }>(sql`
    with used as materialized (${among}),
         reached as (
           select greatest(${from}::timestamptz, max(hour) + interval '1 hour') as at from call_hours),
         counted as (
           select u.key, h.hour, (select sum(each) from unnest(h.calls) each) as calls,
                  (select sum(each) from unnest(h.failed) each) as failed
             from call_hours h join used u on u.id = h.installation_id
            where h.organization_id in (select organization_id from used) and h.hour >= ${from}
              and ${isWithin(sql`h.hour + interval '1 hour'`)} and ${isCounted(sql`h.test`)}
            union all
           select u.key, date_trunc('hour', a.started_at), count(*), count(a.failure)
             from used u join attempts a on a.installation_id = u.id
            where a.id >= ${firstIdOf(sql`(select at from reached)`)} and ${isWithin(sql`a.started_at`)}
              -- What PostgreSQL knows before it plans. For all it knows, a third of all calls came since the moment above.
              and a.id >= ${firstIdAt(new Date(from))}::uuid
              and ${isCounted(sql`a.test`)}
            group by 1, 2),
         hours as (
           select key, round(extract(epoch from ${new Date(current).toISOString()}::timestamptz - hour) / 3600)::int as ago,
                  sum(calls)::int as calls, sum(failed)::int as failed
             from counted group by 1, 2)
    select key, array_agg(ago) as ago, array_agg(calls) as calls, array_agg(failed) as failed
      from hours group by key`);
  return new Map(
    rows.map(({ key, ago, calls, failed }) => [
      key,
      toCallsOfDay(
        ago.map((hours, index) => ({ ago: hours, calls: calls[index] ?? 0, failed: failed[index] ?? 0 })),
      ),
    ]),
  );
}

const isWithin = (moment: SQL) =>
  sql`(u.since is null or ${moment} >= u.since) and (u.until is null or ${moment} < u.until)`;

/** When each of these installations was last called. Those that never were are left out. */
export async function selectLastCalls(
  db: Db,
  installationIds: readonly string[],
): Promise<Map<string, Date>> {
  if (installationIds.length === 0) return new Map();
  // A range of one, and its order: only the index of installations has it. With an equality, PostgreSQL may look for the last call of an
  // installation that was never called among all calls.
  const { rows } = await db.execute<{ id: string; at: string }>(sql`
    select i.id, last.started_at as at
      from unnest(${sql.param([...installationIds])}::uuid[]) i(id)
      join lateral (select started_at from attempts a
                     where a.installation_id between i.id and i.id
                     order by a.installation_id desc, a.id desc limit 1) last on true`);
  return new Map(rows.map(({ id, at }) => [id, new Date(at)]));
}

import { lt, sql } from "drizzle-orm";
import { callHours } from "@/drizzle/schema/call-hours";
import type { Db } from "../database/connect";
import { latencyBucket } from "./chart-queries";

/** False if another worker is counting. Held until the end of the transaction. */
export async function lockCounting(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('call-hours', 0)) as locked`,
  );
  return rows[0]?.locked === true;
}

export async function selectFirstAttempt(tx: Db, from: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select id from attempts where id >= ${from} order by id limit 1`,
  );
  return rows[0]?.id;
}

/** Counts the attempts of an hour, whose ids are a range of the primary key. */
export async function insertHour(tx: Db, hour: Date, ids: { from: string; to: string }): Promise<void> {
  await tx.execute(sql`
    insert into call_hours
           (hour, organization_id, installation_id, route_id, test, event_type, latencies, calls, failed)
    select ${hour.toISOString()}, organization_id, installation_id, route_id, test, event_type,
           array_agg(bucket), array_agg(calls), array_agg(failed)
      from (select organization_id, installation_id, route_id, test, coalesce(event_type, '') as event_type,
                   ${latencyBucket} as bucket, count(*) as calls, count(failure) as failed
              from attempts
             where id >= ${ids.from} and id < ${ids.to}
             group by 1, 2, 3, 4, 5, 6) counted
     group by 2, 3, 4, 5, 6`);
}

export async function deleteHours(tx: Db, before: Date): Promise<void> {
  await tx.delete(callHours).where(lt(callHours.hour, before));
}

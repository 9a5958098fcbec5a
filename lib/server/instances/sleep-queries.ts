/** SQL of versions that sleep: stopped because nothing called them, and started by the next call. */
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { versions } from "@/drizzle/schema/listings";
import { firstIdAt } from "@/lib/domain/call-range";
import type { Db } from "../database/connect";

interface Idle {
  minutes: number;
  /** Whether versions sleep that installations of production tenants use. */
  production: boolean;
}

/**
 * Puts versions to sleep that nothing called, started, configured or checked for so long, and for which no event waits. Returns
 * them. The condition is in the UPDATE; a call that came meanwhile finishes, and the next one wakes the version.
 */
export async function putToSleep(db: Db, { minutes, production }: Idle): Promise<string[]> {
  const since = sql`now() - make_interval(mins => ${minutes}::int)`;
  const firstId = firstIdAt(new Date(Date.now() - minutes * 60_000));
  const { rows } = await db.execute<{ id: string }>(sql`
    update versions v set asleep_since = now(), woken_at = null
     where v.asleep_since is null
       and exists (select from instances n where n.version_id = v.id and n.state = 'READY')
       and not exists (
             select from instances n where n.version_id = v.id
                and (n.state = 'STARTING' or n.state = 'READY' and n.ready_at > ${since}))
       and not exists (select from installations i where i.other_version_id = v.id)
       and not exists (
             select from installations i join tenants t on t.id = i.tenant_id
              where i.version_id = v.id and i.state not in ('STOPPED', 'ERROR', 'UNINSTALLED')
                and (i.state <> 'RUNNING' or i.updated_at > ${since}
                     or not (${production} or i.test or t.sandbox)
                     or exists (select from attempts a where a.installation_id = i.id and a.id > ${firstId}::uuid)
                     or exists (select from deliveries d
                                 where d.installation_id = i.id and d.state = 'PENDING'
                                   and d.next_attempt_at < now() + interval '1 minute')))
       and not exists (
             select from configuration_checks c
              where c.version_id = v.id and coalesce(c.ended_at, c.created_at) > ${since})
    returning v.id`);
  return rows.map(({ id }) => id);
}

/** Wakes versions for which an event is due. */
export async function wakeForEvents(db: Db): Promise<void> {
  await db.execute(sql`
    update versions v set woken_at = now()
     where v.asleep_since is not null and v.woken_at is null
       and exists (select from installations i join deliveries d on d.installation_id = i.id
                    where i.version_id = v.id and i.state = 'RUNNING'
                      and d.state = 'PENDING' and d.next_attempt_at <= now())`);
}

/** One of its instances is ready. */
export async function endSleep(tx: Db, versionId: string): Promise<void> {
  await tx
    .update(versions)
    .set({ asleepSince: null, wokenAt: null })
    .where(and(eq(versions.id, versionId), isNotNull(versions.asleepSince)));
}

/** Sleeps, and nothing has woken it. */
export async function isAsleep(db: Db, versionId: string): Promise<boolean> {
  const asleep = and(eq(versions.id, versionId), isNotNull(versions.asleepSince), isNull(versions.wokenAt));
  return (await db.$count(versions, asleep)) === 1;
}

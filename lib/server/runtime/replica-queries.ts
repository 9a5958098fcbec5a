/** SQL of replicas: how many of a version run, which are missing, too many or outdated, and which are draining. */
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { versions } from "@/drizzle/schema/catalog";
import { configurationChecks, installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { EXPECTED_ENDS, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Db } from "../platform/database/connect";
import { ended, type InstanceRow, NEEDING } from "./instance-queries";

/** The lowest number that no instance of the version has that still runs. */
const freeNumber = (versionId: string) => sql`(
  select min(number) from generate_series(0, 1000) number
   where not exists (select from instances n where n.version_id = ${versionId} and n.replica = number
                        and n.state not in ('FAILED', 'STOPPED')))`;

const countLive = (versionId: string) => sql`(
  select count(*) from instances n where n.version_id = ${versionId} and n.state in ('STARTING', 'READY'))`;

/**
 * A row for an instance that is about to be started. Undefined if `most` of the version run or start already, or if somebody else
 * just added one.
 */
export function insertInstance(
  tx: Db,
  versionId: string,
  runtime: string,
  most: number,
): Promise<InstanceRow | undefined> {
  return insertIf(tx, versionId, runtime, sql`${countLive(versionId)} < ${most}`);
}

/** The same for an instance that replaces another one of its version. Undefined also if that ended, or another one starts. */
export function insertReplacement(
  tx: Db,
  { id, versionId }: Pick<InstanceRow, "id" | "versionId">,
  runtime: string,
): Promise<InstanceRow | undefined> {
  const isFree = sql`exists (select from instances n where n.id = ${id} and n.state = 'READY')
    and not exists (select from instances n where n.version_id = ${versionId} and n.state = 'STARTING')`;
  return insertIf(tx, versionId, runtime, isFree);
}

async function insertIf(
  tx: Db,
  versionId: string,
  runtime: string,
  condition: ReturnType<typeof sql>,
): Promise<InstanceRow | undefined> {
  // Transactions that add an instance of the version run one after another, so that each counts the rows of those before.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${versionId}, 0))`);
  const { rows } = await tx.execute<{ replica: number }>(
    sql`select ${freeNumber(versionId)}::int as replica where ${condition}`,
  );
  const [free] = rows;
  if (free === undefined) return undefined;
  const { replica } = free;
  const [row] = await tx
    .insert(instances)
    .values({ versionId, replica, runtime, checkedAt: new Date() })
    .onConflictDoNothing()
    .returning();
  return row;
}

export interface UnmetDemand {
  versionId: string;
  /** How many instances run or start. */
  live: number;
  /** How many should run. */
  wanted: number;
  /** A ready instance from before the last requested restart, if none of the version is starting; otherwise null. */
  outdatedId: string | null;
}

/**
 * Versions of running installations that have fewer instances than they should, or outdated ones. Leaves out the other version of an
 * upgrade, and versions that sleep: a new version that fails to start is not started again and again, and an old one has no more calls. Leaves out made-up
 * customers of automatic checks, which run an instance of their own.
 */
export async function selectUnmetDemands(db: Db, mostReplicas: number): Promise<UnmetDemand[]> {
  const { rows } = await db.execute<UnmetDemand & Record<string, unknown>>(sql`
    with demanded as (
      select distinct i.version_id, i.listing_id from installations i
         join versions v on v.id = i.version_id
       where i.state = 'RUNNING' and i.evidence_id is null and (v.asleep_since is null or v.woken_at is not null))
    select * from (
      select d.version_id as "versionId", least(l.replicas, ${mostReplicas}::int) as wanted,
             (select count(*)::int from instances n
               where n.version_id = d.version_id and n.state in ('STARTING', 'READY')) as live,
             (select n.id from instances n
               where n.version_id = d.version_id and n.state = 'READY' and n.created_at < l.restart_requested_at
                 and not exists (select from instances s where s.version_id = d.version_id and s.state = 'STARTING')
               order by n.id limit 1) as "outdatedId"
        from demanded d join listings l on l.id = d.listing_id) each
     where live < wanted or "outdatedId" is not null`);
  return rows;
}

interface Draining {
  code: ReasonCode;
  reason: string;
}

const draining = ({ code, reason }: Draining) => ({
  state: "DRAINING" as const,
  reasonCode: code,
  reason,
  drainingSince: sql`now()`,
  checkedAt: sql`now()`,
});

/** No more calls go to it. False if it is not ready anymore. */
export async function drainInstance(db: Db, id: string, why: Draining): Promise<boolean> {
  const drained = await db
    .update(instances)
    .set(draining(why))
    .where(and(eq(instances.id, id), eq(instances.state, "READY")))
    .returning({ id: instances.id });
  return drained.length === 1;
}

/** Drains all ready instances of a version. */
export async function drainVersion(db: Db, versionId: string, why: Draining): Promise<void> {
  await db
    .update(instances)
    .set(draining(why))
    .where(and(eq(instances.versionId, versionId), eq(instances.state, "READY")));
}

/** Drains the ready instances above the number that their version should have. */
export async function drainSurplus(db: Db, mostReplicas: number): Promise<InstanceRow[]> {
  const surplus = sql`(
    select n.id from (
      select n.id, least(l.replicas, ${mostReplicas}::int) as wanted,
             row_number() over (partition by n.version_id order by n.failing_since nulls first, n.replica) as place
        from instances n join versions v on v.id = n.version_id join listings l on l.id = v.listing_id
       where n.state = 'READY') n
     where place > wanted)`;
  return db
    .update(instances)
    .set(draining({ code: "NOT_NEEDED", reason: "The app has enough replicas without it." }))
    .where(and(eq(instances.state, "READY"), sql`${instances.id} in ${surplus}`))
    .returning();
}

/** Claims draining instances to look at, so that one of several workers does. */
export async function claimDraining(db: Db, everySeconds: number): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set({ checkedAt: sql`now()` })
    .where(
      and(
        eq(instances.state, "DRAINING"),
        lt(instances.checkedAt, sql`now() - make_interval(secs => ${everySeconds})`),
      ),
    )
    .returning();
}

/** It has ended after its last call; its reason is why it was drained. */
export async function endDrained(db: Db, id: string, logTail: string): Promise<boolean> {
  const ended = await db
    .update(instances)
    .set({ state: "STOPPED", logTail, endedAt: sql`now()` })
    .where(and(eq(instances.id, id), eq(instances.state, "DRAINING")))
    .returning({ id: instances.id });
  return ended.length === 1;
}

/**
 * Of these draining instances, those whose calls have all finished. A call picks its instance up to `slackSeconds` before its attempt
 * is recorded. An attempt that started longer ago than any call can take belongs to a dead process.
 */
export async function selectDrained(
  db: Db,
  ids: readonly string[],
  slackSeconds: number,
): Promise<Set<string>> {
  const slack = sql`make_interval(secs => ${slackSeconds})`;
  const found = await db
    .select({ id: instances.id })
    .from(instances)
    .where(
      and(
        inArray(instances.id, [...ids]),
        sql`${instances.drainingSince} + ${slack} < now()`,
        sql`not exists (
          select 1 from attempts a join ${installations} on ${installations.id} = a.installation_id
           where ${instances.versionId} in (${installations.versionId}, ${installations.otherVersionId})
             and a.duration_ms is null and a.started_at < ${instances.drainingSince} + ${slack}
             and a.started_at > now() - interval '2 minutes')`,
      ),
    );
  return new Set(found.map(({ id }) => id));
}

/**
 * Ends the ready instances that nobody needs. The condition is in the UPDATE: an installation that is launched meanwhile
 * either keeps its instance or starts a new one.
 */
export async function endUnneeded(db: Db): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set(ended({ code: "NOT_NEEDED", reason: UNNEEDED }))
    .where(and(eq(instances.state, "READY"), isUnneeded(instances.versionId)))
    .returning();
}

const UNNEEDED = "No installation needs it anymore.";

const isUnneeded = (versionId: AnyPgColumn) =>
  and(
    sql`not exists (select 1 from ${installations} where ${installations.versionId} = ${versionId}
                     and ${inArray(installations.state, [...NEEDING])})`,
    // An upgrade is starting its new version, or calls still finish on its old one.
    sql`not exists (select 1 from ${installations} where ${installations.otherVersionId} = ${versionId})`,
    // Somebody checks answers before a launch, and is about to check again or to launch.
    sql`not exists (select 1 from ${configurationChecks}
                     where ${configurationChecks.versionId} = ${versionId}
                       and coalesce(${configurationChecks.endedAt}, ${configurationChecks.createdAt})
                           > now() - interval '5 minutes')`,
  );

/**
 * Notes in the history of versions whose instances failed that nobody needs them anymore. Otherwise a launch that was given up would
 * look like an outage that never ends.
 */
export async function noteUnneeded(db: Db): Promise<void> {
  const expected = sql.join(
    EXPECTED_ENDS.map((code) => sql`${code}`),
    sql`, `,
  );
  await db.execute(sql`
    insert into instance_events (version_id, instance_id, at, kind, reason_code, reason)
    select last.version_id, last.instance_id, clock_timestamp(), 'stopped', 'NOT_NEEDED', ${UNNEEDED}
      from ${versions}
     cross join lateral (
             select * from instance_events e where e.version_id = ${versions.id} order by e.id desc limit 1) last
     where (last.kind = 'failed' or (last.kind = 'stopped' and last.reason_code not in (${expected})))
       and not exists (select 1 from ${instances} where ${instances.versionId} = ${versions.id}
                          and ${instances.endedAt} is null)
       and ${isUnneeded(versions.id)}`);
}

/**
 * The states of an instance and everything that moves it. Guards are in the statements, so each move happens once, whichever
 * worker is first.
 *
 * | from     | to       | when                                                        | who                               |
 * | -------- | -------- | ----------------------------------------------------------- | --------------------------------- |
 * | (none)   | STARTING | a version needs an instance, or one is replaced             | `ensure-instance.ts`              |
 * | (none)   | ended    | it could not even be started, such as without an engine     | `noteNotStarted`                  |
 * | STARTING | READY    | `GET /health` answered 200                                  | `readyOnce`                       |
 * | STARTING | ended    | it exited, wasn't ready in time, or its worker died         | `endOnce`, `endAbandonedStarts`   |
 * | READY    | DRAINING | too many replicas, replaced, or nothing called it           | `drain-instances.ts`              |
 * | READY    | ended    | it exited, or three health checks failed                    | `check-instances.ts`              |
 * | READY    | STOPPED  | no installation needs it                                    | `stopUnneeded`                    |
 * | DRAINING | STOPPED  | its last call has finished, or it exited                    | `endDrained`                      |
 * | any live | STOPPED  | its worker ended, and it can't outlive it                   | `closeInstances`                  |
 *
 * It ends as FAILED if the app is at fault and as STOPPED if not: see `isAppFault`. Both are final. Another instance then takes its
 * place (`restore-instances.ts`), after a wait that grows with each crash; a crash loop parks the version (`instance-outcome.ts`).
 */
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurationChecks } from "@/drizzle/schema/installations-configurations";
import { instances } from "@/drizzle/schema/runtime";
import { EXPECTED_ENDS, isAppFault, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Db } from "../platform/database/connect";
import { wantedReplicas } from "./load-queries";
import { type InstanceRow, LIVE, NEEDING } from "./instance-queries";

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
export function insertInstance(tx: Db, start: NewInstance, most: number): Promise<InstanceRow | undefined> {
  return insertIf(tx, start, sql`${countLive(start.versionId)} < ${most}`);
}

/** `stateApi`: the origin of the state API that it will be given. */
type NewInstance = Pick<InstanceRow, "versionId" | "runtime" | "stateApi">;

/** The same for an instance that replaces another one of its version. Undefined also if that ended, or another one starts. */
export function insertReplacement(
  tx: Db,
  { id, versionId }: Pick<InstanceRow, "id" | "versionId">,
  start: Omit<NewInstance, "versionId">,
): Promise<InstanceRow | undefined> {
  const isFree = sql`exists (select from instances n where n.id = ${id} and n.state = 'READY')
    and not exists (select from instances n where n.version_id = ${versionId} and n.state = 'STARTING')`;
  return insertIf(tx, { versionId, ...start }, isFree);
}

async function insertIf(
  tx: Db,
  start: NewInstance,
  condition: ReturnType<typeof sql>,
): Promise<InstanceRow | undefined> {
  const { versionId } = start;
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
    .values({ ...start, replica, checkedAt: new Date() })
    .onConflictDoNothing()
    .returning();
  return row;
}

export async function markReady(db: Db, id: string): Promise<InstanceRow | undefined> {
  const [ready] = await db
    .update(instances)
    .set({ state: "READY", readyAt: sql`now()`, checkedAt: sql`now()` })
    .where(and(eq(instances.id, id), eq(instances.state, "STARTING")))
    .returning();
  return ready;
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
      select n.id, ${wantedReplicas(mostReplicas)} as wanted,
             row_number() over (partition by n.version_id order by n.failing_since nulls first, n.replica) as place
        from instances n join versions v on v.id = n.version_id join listings l on l.id = v.listing_id
        left join scalings s on s.version_id = n.version_id
       where n.state = 'READY') n
     where place > wanted)`;
  return db
    .update(instances)
    .set(draining({ code: "NOT_NEEDED", reason: "The app has enough replicas without it." }))
    .where(and(eq(instances.state, "READY"), sql`${instances.id} in ${surplus}`))
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

export interface InstanceEnd {
  code: ReasonCode;
  reason: string;
  exitCode?: number | null;
  logTail?: string;
}

/** `FAILED` is the app's fault; `STOPPED` is not. */
export const ended = ({ code, ...rest }: InstanceEnd) => ({
  state: isAppFault(code) ? ("FAILED" as const) : ("STOPPED" as const),
  reasonCode: code,
  ...rest,
  endedAt: sql`now()`,
});

/** True when this call ended it. */
export async function endInstance(db: Db, id: string, end: InstanceEnd): Promise<boolean> {
  const rows = await db
    .update(instances)
    .set(ended(end))
    .where(and(eq(instances.id, id), inArray(instances.state, LIVE)))
    .returning({ id: instances.id });
  return rows.length === 1;
}

/** A start without a sign of life for this long is abandoned. */
const ABANDONED = sql`interval '15 seconds'`;

/** Ends starts whose worker died, of one version or of all. Returns the ones that this call ended. */
export async function endAbandonedStarts(db: Db, versionId?: string): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set(
      ended({
        code: "WORKER_ENDED",
        reason: "The worker that was starting it ended before it was ready.",
      }),
    )
    .where(
      and(
        eq(instances.state, "STARTING"),
        lt(instances.checkedAt, sql`now() - ${ABANDONED}`),
        versionId === undefined ? undefined : eq(instances.versionId, versionId),
      ),
    )
    .returning();
}

/** Ends the instances behind these handles, which ended with their worker. */
export async function endInstancesByHandles(db: Db, handles: string[]): Promise<void> {
  if (handles.length === 0) return;
  await db
    .update(instances)
    .set(ended({ code: "WORKER_ENDED", reason: "Its worker ended." }))
    .where(and(inArray(instances.handle, handles), inArray(instances.state, ["STARTING", "READY"])));
  // What was draining ended for the reason that it has.
  await db
    .update(instances)
    .set({ state: "STOPPED", endedAt: sql`now()` })
    .where(and(inArray(instances.handle, handles), eq(instances.state, "DRAINING")));
}

/** Records why no instance could be started, unless the newest one says so already. */
export async function noteNotStarted(
  db: Db,
  versionId: string,
  code: ReasonCode,
  reason: string,
): Promise<void> {
  const [newest] = await db
    .select()
    .from(instances)
    .where(eq(instances.versionId, versionId))
    .orderBy(desc(instances.id))
    .limit(1);
  if (newest === undefined || newest.endedAt === null || newest.reasonCode === code) return;
  await db.insert(instances).values({ versionId, runtime: newest.runtime, ...ended({ code, reason }) });
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

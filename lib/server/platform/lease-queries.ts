import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql, type SQL } from "drizzle-orm";
import { organizationDomains } from "@/drizzle/schema/accounts";
import { deliveries } from "@/drizzle/schema/calls";
import { logExcerpts } from "@/drizzle/schema/insight";
import { instanceLogs } from "@/drizzle/schema/runtime";
import { installations, upgrades } from "@/drizzle/schema/installations";
import { configurationChecks } from "@/drizzle/schema/installations-configurations";
import { evidence } from "@/drizzle/schema/moderation";
import { mails, workers } from "@/drizzle/schema/platform";
import type { Db } from "./database/connect";

export const LEASED_TABLES = [
  "deliveries",
  "installations",
  "upgrades",
  "logExcerpts",
  "mails",
  "evidence",
  "configurationChecks",
  "instanceLogs",
  "organizationDomains",
] as const;
export type LeasedTable = (typeof LEASED_TABLES)[number];

const LEASED = {
  deliveries,
  installations,
  upgrades,
  logExcerpts,
  mails,
  evidence,
  configurationChecks,
  instanceLogs,
  organizationDomains,
};

const idOf = (name: LeasedTable) => (name === "logExcerpts" ? logExcerpts.attemptId : LEASED[name].id);

/** A claimed row. `claim` proves the lease: it is a new id for each claim, which many rows may share. */
export interface Leased {
  id: string;
  claim: string;
}

export const endsIn = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

/** What a worker claims rows with. */
export interface Lease {
  /** A new id for each claim. */
  claim: string;
  seconds: number;
  /** Null while the worker is not registered: its leases only end when they expire. */
  workerId: number | null;
}

/** What claiming a row sets. */
export function leaseTo({ claim, seconds, workerId }: Lease) {
  return { leasedUntil: endsIn(seconds), leasedBy: claim, leasedWorker: workerId };
}

/** `leaseTo` for statements that are written in SQL. */
export function setLease({ claim, seconds, workerId }: Lease): SQL {
  return sql`leased_until = ${endsIn(seconds)}, leased_by = ${claim}, leased_worker = ${workerId}`;
}

/** No worker has the row, or its lease expired. */
export function isFree(name: LeasedTable) {
  const table = LEASED[name];
  return or(isNull(table.leasedUntil), lt(table.leasedUntil, sql`now()`));
}

/**
 * Extends the leases of one pool in one statement. Rows that were settled, or claimed by others, are not changed. Skips rows
 * that are being settled, so that two statements never wait for each other.
 */
export async function extendLeases(
  db: Db,
  name: LeasedTable,
  leased: readonly Leased[],
  seconds: number,
): Promise<void> {
  await setUnlocked(db, name, isLeasedTo(name, leased), endsIn(seconds));
}

/**
 * Ends the leases of workers in one table, so that others can claim the rows at once. Rows keep the claim's id, so that an
 * attempt in progress is recorded by the claim that takes over. Skips rows that are being settled.
 */
export async function endLeasesOf(db: Db, name: LeasedTable, workerIds: readonly number[]): Promise<void> {
  const { leasedUntil, leasedWorker } = LEASED[name];
  const leased = and(
    // Their index is small, and the table is not.
    name === "deliveries" ? eq(deliveries.state, "PENDING") : undefined,
    gt(leasedUntil, sql`now()`),
    inArray(leasedWorker, [...workerIds]),
  );
  await setUnlocked(db, name, leased, sql<Date>`now()`);
}

async function setUnlocked(
  db: Db,
  name: LeasedTable,
  which: SQL | undefined,
  leasedUntil: SQL<Date>,
): Promise<void> {
  const table = LEASED[name];
  const id = idOf(name);
  const unlocked = db.select({ id }).from(table).where(which).for("update", { skipLocked: true });
  await db.update(table).set({ leasedUntil }).where(inArray(id, unlocked));
}

/** Releases claimed rows: another worker can claim them at once, or in `seconds`. */
export async function giveBackLeases(
  db: Db,
  name: LeasedTable,
  leased: readonly Leased[],
  seconds = 0,
): Promise<void> {
  const table = LEASED[name];
  await db
    .update(table)
    .set({ leasedUntil: seconds === 0 ? null : endsIn(seconds) })
    .where(isLeasedTo(name, leased));
}

function isLeasedTo(name: LeasedTable, leased: readonly Leased[]) {
  const table = LEASED[name];
  const ids = leased.map(({ id }) => id);
  const claims = leased.map(({ claim }) => claim);
  const pairs = sql`(select * from unnest(${sql.param(ids)}::uuid[], ${sql.param(claims)}::uuid[]))`;
  return and(isNotNull(table.leasedUntil), sql`(${idOf(name)}, ${table.leasedBy}) in ${pairs}`);
}

/** Releases a claim of any worker, because a command changed what needs to be done. */
export async function dropLease(db: Db, name: LeasedTable, id: string): Promise<void> {
  const table = LEASED[name];
  await db
    .update(table)
    .set({ leasedUntil: null })
    .where(eq(idOf(name), id));
}

/** The first key of the advisory locks of workers; the second is the worker's id. */
const WORKERS = 7_201;

/** A new id, or the old one unless others declared it dead. */
export async function registerWorker(db: Db, oldId: number | null, stateApis: string[]): Promise<number> {
  const kept =
    oldId === null
      ? []
      : await db
          .update(workers)
          .set({ missingSince: null, stateApis })
          .where(eq(workers.id, oldId))
          .returning({ id: workers.id });
  const [row] =
    kept.length > 0 ? kept : await db.insert(workers).values({ stateApis }).returning({ id: workers.id });
  if (row === undefined) throw new Error("inserting a worker returned no row");
  return row.id;
}

export async function setStateApis(db: Db, id: number, stateApis: string[]): Promise<void> {
  await db.update(workers).set({ stateApis }).where(eq(workers.id, id));
}

/** Locks the id until the connection of `db` ends. False while another connection has the lock. */
export async function lockWorker(db: Db, id: number): Promise<boolean> {
  const { rows } = await db.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_lock(${WORKERS}, ${id}) as locked`,
  );
  return rows[0]?.locked === true;
}

/** Whether a connection has the lock of this worker, without taking it. */
export const hasWorkerLock = (id: SQL) => sql`exists (
  select from pg_locks l
   where l.locktype = 'advisory' and l.classid = ${WORKERS} and l.objid = ${id} and l.granted
     and l.database = (select oid from pg_database where datname = current_database()))`;

/**
 * Whether a worker that lives now gives this state API to apps. A worker that died a moment ago has lost its lock, but still has its row:
 * see `presence.ts`.
 */
export async function isStateApiServed(db: Db, stateApi: string): Promise<boolean> {
  const { rows } = await db.execute<{ served: boolean }>(sql`
    select exists (
      select from workers w
       where ${stateApi} = any (w.state_apis) and w.missing_since is null and ${hasWorkerLock(sql`w.id`)}) as served`);
  return rows[0]?.served === true;
}

/** Workers whose lock is free, locked until the transaction ends. `dead`: it has been free for `graceSeconds`. */
export async function lockMissingWorkers(
  tx: Db,
  ownId: number | null,
  graceSeconds: number,
): Promise<{ id: number; dead: boolean }[]> {
  const missing = await tx
    .select({
      id: workers.id,
      dead: sql<boolean>`coalesce(${workers.missingSince} < now() - make_interval(secs => ${graceSeconds}), false)`,
    })
    .from(workers)
    .where(
      and(
        ownId === null ? undefined : ne(workers.id, ownId),
        sql`pg_try_advisory_xact_lock(${WORKERS}, ${workers.id})`,
      ),
    );
  const ids = missing.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .update(workers)
      .set({ missingSince: sql`now()` })
      .where(and(inArray(workers.id, ids), isNull(workers.missingSince)));
  return missing;
}

export async function deleteWorkers(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.delete(workers).where(inArray(workers.id, [...ids]));
}

import { and, eq, isNull, sql } from "drizzle-orm";
import { instanceLogs } from "@/drizzle/schema/runtime";
import type { LogLine } from "@/lib/contract/runtime/app-log";
import type { Db } from "../../platform/database/connect";
import { type Lease, type Leased, setLease } from "../../platform/lease-queries";
import type { LogPosition } from "./log-buffer";

export async function selectClock(db: Db): Promise<Date> {
  const { rows } = await db.execute<{ now: string }>(sql`select clock_timestamp() as now`);
  const [row] = rows;
  if (row === undefined) throw new Error("the clock returned no row");
  return new Date(row.now);
}

/** The log of an instance that a worker follows. Its id is the instance's. */
export interface ClaimedLog extends Leased {
  versionId: string;
  runtime: string;
  handle: string;
  position: LogPosition;
}

/** Begins the logs of instances that have none. */
export async function insertLogs(db: Db): Promise<void> {
  await db.execute(sql`
    insert into instance_logs (id, version_id)
    select n.id, n.version_id from instances n
     where n.state in ('STARTING', 'READY') and n.handle is not null
       and not exists (select from instance_logs l where l.id = n.id)
     on conflict do nothing`);
}

/** Claims logs that nobody follows. `skip locked`: concurrent workers claim different ones. */
export async function claimLogs(db: Db, limit: number, lease: Lease): Promise<ClaimedLog[]> {
  return claim(
    db,
    lease,
    sql`
      select l.id from instance_logs l
       where l.closed_at is null and (l.leased_until is null or l.leased_until < now())
       order by l.id limit ${limit} for update skip locked`,
  );
}

/** Claims the log of one instance, and begins it if there is none. Undefined if a worker follows it, or if it is closed. */
export async function claimLog(db: Db, instanceId: string, lease: Lease): Promise<ClaimedLog | undefined> {
  await db.execute(sql`
    insert into instance_logs (id, version_id)
    select id, version_id from instances where id = ${instanceId}
     on conflict do nothing`);
  const [claimed] = await claim(
    db,
    lease,
    sql`
      select l.id from instance_logs l
       where l.id = ${instanceId} and l.closed_at is null and (l.leased_until is null or l.leased_until < now())
         for update skip locked`,
  );
  return claimed;
}

type StoredPosition = Record<string, { at: string; count: number }>;

async function claim(db: Db, lease: Lease, due: ReturnType<typeof sql>): Promise<ClaimedLog[]> {
  const { rows } = await db.execute<{
    id: string;
    versionId: string;
    runtime: string;
    handle: string;
    position: StoredPosition;
  }>(sql`
    with due as materialized (${due})
    update instance_logs l set ${setLease(lease)}
      from due join instances n on n.id = due.id
     where l.id = due.id
    returning l.id, l.version_id as "versionId", n.runtime, coalesce(n.handle, '') as handle, l.position`);
  return rows.map((row) => ({ ...row, claim: lease.claim, position: readPosition(row.position) }));
}

function readPosition({ stdout, stderr }: StoredPosition): LogPosition {
  const read = (place: { at: string; count: number } | undefined) =>
    place && { at: BigInt(place.at), count: place.count };
  return { stdout: read(stdout), stderr: read(stderr) };
}

/** What a line takes besides its text: without it, empty lines would not count. */
const ROW_BYTES = 100;

/** A line to be stored; `at` in microseconds since 1970. */
export interface NewLine extends LogLine {
  at: string;
}

/**
 * Stores lines together with how far the log is stored then, so that none is stored twice and none is lost. False if the claim
 * is over: another worker follows the log.
 */
export async function insertLines(
  tx: Db,
  { id, claim: claimId, versionId }: Pick<ClaimedLog, "id" | "claim" | "versionId">,
  lines: readonly NewLine[],
  position: LogPosition,
): Promise<boolean> {
  const written = JSON.stringify(position, (_name, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  const moved = await tx
    .update(instanceLogs)
    .set({ position: sql`${written}::jsonb` })
    .where(and(eq(instanceLogs.id, id), eq(instanceLogs.leasedBy, claimId), isNull(instanceLogs.closedAt)))
    .returning({ id: instanceLogs.id });
  if (moved.length === 0) return false;
  await addLines(tx, { versionId, instanceId: id }, lines);
  return true;
}

/** Adds lines to the log of a version, after all others. */
export async function addLines(
  tx: Db,
  { versionId, instanceId }: { versionId: string; instanceId: string },
  lines: readonly NewLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const column = (values: (string | number | null)[]) => sql.param(values);
  const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + ROW_BYTES, 0);
  await tx.execute(sql`
    with head as (
      insert into version_logs (version_id, last_id, lines, bytes)
      values (${versionId}, ${lines.length}, ${lines.length}, ${bytes})
      on conflict (version_id) do update
         set last_id = version_logs.last_id + excluded.last_id, lines = version_logs.lines + excluded.lines,
             bytes = version_logs.bytes + excluded.bytes,
             oldest_at = case when version_logs.lines = 0 then now() else version_logs.oldest_at end
      returning last_id - ${lines.length}::int as first)
    insert into log_lines (version_id, id, instance_id, at, stream, level, text, cut_bytes)
    select ${versionId}, head.first + l.place, ${instanceId}, timestamptz 'epoch' + l.at * interval '1 microsecond',
           l.stream::log_stream, l.level::log_level, l.text, l.cut_bytes
      from head, unnest(${column(lines.map(({ at }) => at))}::bigint[], ${column(lines.map(({ stream }) => stream))}::text[],
                        ${column(lines.map(({ level }) => level))}::text[], ${column(lines.map(({ text }) => text))}::text[],
                        ${column(lines.map(({ cutBytes }) => cutBytes))}::int[])
           with ordinality as l (at, stream, level, text, cut_bytes, place)`);
}

/** Closes the log of an instance that has ended. False if it has not, or if the claim is over. */
export async function closeLog(db: Db, { id, claim: claimId }: Leased): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update instance_logs l set closed_at = now(), leased_until = null
      from instances n
     where l.id = ${id} and l.leased_by = ${claimId} and n.id = l.id and n.state in ('FAILED', 'STOPPED')`);
  return rowCount === 1;
}

export async function isLogClosed(db: Db, instanceId: string): Promise<boolean> {
  const [found] = await db
    .select({ closedAt: instanceLogs.closedAt })
    .from(instanceLogs)
    .where(eq(instanceLogs.id, instanceId));
  return found === undefined || found.closedAt !== null;
}

/** The versions whose log is too large, or has lines from before `cutoff`. */
export async function selectOverfullLogs(db: Db, cutoff: Date, mostBytes: number): Promise<string[]> {
  const { rows } = await db.execute<{ versionId: string }>(sql`
    select version_id as "versionId" from version_logs
     where lines > 0 and (bytes > ${mostBytes} or oldest_at < ${cutoff.toISOString()})
     order by version_id`);
  return rows.map(({ versionId }) => versionId);
}

/**
 * Deletes up to `limit` of a version's oldest lines that are too old, or too many. Locks the version's log as writers do, so a
 * batch is short. Returns how many; 0 if another worker has the lock.
 */
export async function deleteOldLines(
  tx: Db,
  versionId: string,
  cutoff: Date,
  mostBytes: number,
  limit: number,
): Promise<number> {
  const { rows } = await tx.execute<{ deleted: number }>(sql`
    with log as materialized (
           select bytes from version_logs where version_id = ${versionId} for update skip locked),
         oldest as (
           select id, at, octet_length(text) + ${ROW_BYTES}::int as size from log_lines
            where version_id = ${versionId} and exists (select from log) order by id limit ${limit}),
         chosen as (
           select o.id, o.size from (select *, sum(size) over (order by id) - size as before from oldest) o, log
            where o.at < ${cutoff.toISOString()} or log.bytes - o.before > ${mostBytes}),
         gone as (
           delete from log_lines l using chosen
            where l.version_id = ${versionId} and l.id = chosen.id returning l.id, chosen.size),
         counted as (
           select count(*)::int as deleted, coalesce(sum(size), 0) as bytes, coalesce(max(id), 0) as last from gone)
    update version_logs v
       set lines = v.lines - counted.deleted, bytes = v.bytes - counted.bytes,
           oldest_at = coalesce((select min(at) from log_lines l
                                  where l.version_id = v.version_id and l.id > counted.last
                                    and l.id <= counted.last + ${limit}), v.oldest_at)
      from counted
     where v.version_id = ${versionId} and exists (select from log)
    returning counted.deleted`);
  return rows[0]?.deleted ?? 0;
}

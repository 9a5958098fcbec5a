import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../platform/database/connect";

/** A page of rows: what was deleted of it, and where the next page begins. */
export interface Page {
  deleted: number;
  /** The last id that was looked at; undefined at the end. */
  last: string | undefined;
}

/** Where a page begins, and the first id that is too young. Ids are UUIDv7, so a range of ids is a range of time. */
export interface Range {
  after: string;
  before: string;
  limit: number;
}

/** False if another worker is deleting. The lock lasts until the end of the transaction. */
export async function lockRetention(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('retention', 0)) as locked`,
  );
  return rows[0]?.locked === true;
}

/**
 * Deletes attempts, but not the lifecycle hooks of an installation that still exists: they say which hook its app needs next.
 * Rows that others hold are skipped, and come with a later run.
 */
export function deleteAttempts(tx: Db, range: Range): Promise<Page> {
  return runPage(
    tx,
    sql`
      with page as (
             select id, kind, installation_id from attempts
              where id > ${range.after} and id < ${range.before}
              order by id limit ${range.limit} for update skip locked),
           gone as (
             delete from attempts a using page
              where a.id = page.id
                and (page.kind <> 'lifecycle' or exists (
                      select 1 from installations i where i.id = page.installation_id and i.state = 'UNINSTALLED'))
             returning a.id)
      select (select count(*)::int from gone) as deleted, (select id from page order by id desc limit 1) as last`,
  );
}

/** Deletes the state reads of attempts that are gone or were never recorded. */
export function deleteStateReads(tx: Db, range: Range): Promise<Page> {
  return runPage(
    tx,
    sql`
      with page as (
             select attempt_id as id from attempt_state_reads
              where attempt_id > ${range.after} and attempt_id < ${range.before}
              order by attempt_id limit ${range.limit} for update skip locked),
           gone as (
             delete from attempt_state_reads r using page
              where r.attempt_id = page.id and not exists (select 1 from attempts a where a.id = page.id)
             returning r.attempt_id)
      select (select count(*)::int from gone) as deleted, (select id from page order by id desc limit 1) as last`,
  );
}

/**
 * Deletes events with their deliveries, once none of them is pending, none died after `diedBefore`, and none has an attempt
 * that is still kept.
 */
export async function deleteEvents(tx: Db, range: Range, diedBefore: Date): Promise<Page> {
  const { rows: page } = await tx.execute<{ id: string; kept: boolean }>(sql`
    select e.id, exists (
             select 1 from deliveries d
              where d.event_id = e.id
                and (d.state = 'PENDING' or (d.state = 'DEAD' and d.settled_at > ${diedBefore.toISOString()})
                     or exists (select 1 from attempts a where a.delivery_id = d.id))) as kept
      from events e
     where e.id > ${range.after} and e.id < ${range.before}
     order by e.id limit ${range.limit} for update of e skip locked`);
  const ids = sql.param(page.filter(({ kept }) => !kept).map(({ id }) => id));
  await tx.execute(sql`delete from deliveries where event_id = any(${ids}::uuid[])`);
  const { rowCount } = await tx.execute(sql`delete from events where id = any(${ids}::uuid[])`);
  return { deleted: rowCount ?? 0, last: page.at(-1)?.id };
}

/** Deletes emails that ended before `cutoff`. Their texts were deleted when they ended. */
export function deleteMails(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  return deletePage(tx, range, sql`mails`, sql`t.ended_at < ${cutoff.toISOString()}`);
}

/** Deletes notifications that were read before `cutoff`, with their emails. Keeps those about problems that are not over. */
export function deleteNotifications(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  const isOver = sql`t.read_at < ${cutoff.toISOString()} and t.updated_at < ${cutoff.toISOString()} and not t.lasts`;
  return deletePage(tx, range, sql`notifications`, isOver);
}

/** Deletes checks of configurations, with the answers of those that a worker left behind. */
export function deleteChecks(tx: Db, range: Range): Promise<Page> {
  return deletePage(tx, range, sql`configuration_checks`, sql`true`);
}

/**
 * Deletes sessions that ended before `cutoff`. The last one of a person in an organization stays: it says when the
 * person was last seen there.
 */
export function deleteSessions(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  const isOver = sql`least(t.revoked_at, t.expires_at) < ${cutoff.toISOString()} and exists (
    select 1 from sessions later
     where later.user_id = t.user_id and later.organization_id is not distinct from t.organization_id
       and (later.last_seen_at, later.id) > (t.last_seen_at, t.id))`;
  return deletePage(tx, range, sql`sessions`, isOver);
}

/**
 * Deletes the addresses of invitations that ended before `cutoff`, and ends those that expired: without an address, a
 * renewed link would let anyone in.
 */
export function forgetInvitations(tx: Db, { after, before, limit }: Range, cutoff: Date): Promise<Page> {
  return runPage(
    tx,
    sql`
      with old as (
             select id from invitations
              where id > ${after} and id < ${before}
                and least(accepted_at, revoked_at, expires_at) < ${cutoff.toISOString()}
                and (email is not null or (accepted_at is null and revoked_at is null))
              order by id limit ${limit} for update skip locked),
           gone as (
             update invitations i
                set email = null,
                    revoked_at = case when accepted_at is null then coalesce(revoked_at, now()) end
               from old where i.id = old.id
             returning i.id)
      select (select count(*)::int from gone) as deleted, (select id from gone order by id desc limit 1) as last`,
  );
}

/**
 * Deletes what happened to instances before `cutoff`, except for what says in which state a version was at that time: its last
 * event, and the last ones of instances that ran. Returns how many.
 */
export async function deleteInstanceEvents(tx: Db, cutoff: Date, limit: number): Promise<number> {
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

/** Deletes samples of what instances used before `cutoff`. Returns how many. */
export async function deleteSamples(tx: Db, cutoff: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from usage_samples where (version_id, at, instance_id) in (
      select version_id, at, instance_id from usage_samples where at < ${cutoff.toISOString()}
       order by at limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}

/** Deletes hours of what versions used before `cutoff`. Returns how many. */
export async function deleteUsageHours(tx: Db, cutoff: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from usage_hours where (version_id, hour) in (
      select version_id, hour from usage_hours where hour < ${cutoff.toISOString()}
       order by hour limit ${limit} for update skip locked)`);
  return rowCount ?? 0;
}

/** Deletes the rows `t` of a table for which `isOver` is true, and locks no others. */
function deletePage(tx: Db, { after, before, limit }: Range, table: SQL, isOver: SQL): Promise<Page> {
  return runPage(
    tx,
    sql`
      with gone as (
             delete from ${table} where id in (
               select t.id from ${table} t
                where t.id > ${after} and t.id < ${before} and ${isOver}
                order by t.id limit ${limit} for update skip locked)
             returning id)
      select (select count(*)::int from gone) as deleted, (select id from gone order by id desc limit 1) as last`,
  );
}

async function runPage(tx: Db, statement: SQL): Promise<Page> {
  const { rows } = await tx.execute<{ deleted: number; last: string | null }>(statement);
  return { deleted: rows[0]?.deleted ?? 0, last: rows[0]?.last ?? undefined };
}

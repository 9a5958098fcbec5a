/**
 * How old records are removed: oldest first, in small transactions. Each context hands in the removal of its own tables as a job,
 * and `surface/remove-old-records.ts` runs them all. docs/decisions/021-retention.md says what is kept.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql, type SQL } from "drizzle-orm";
import { firstIdAt } from "@/lib/contract/platform/text";
import { type Db, tryLock } from "./database/connect";
import type { Environment } from "./environment";
import type { Platform } from "./platform";

export const DAY_MS = 24 * 60 * 60_000;

export interface RetentionOptions {
  now: Date;
  batchSize: number;
  pauseMs: number;
  /** Stops after the current batch. */
  signal?: AbortSignal;
}

export interface RetentionJob {
  /** What it removes. */
  name: string;
  /** Returns how many it removed. */
  run: (platform: Platform, options: RetentionOptions) => Promise<number>;
}

/** How long records are kept: a setting of the operator, in days, or milliseconds. */
type Keep = Extract<keyof Environment, `PLATFORM_KEEP_${string}_DAYS`> | number;

export function keptSince({ environment }: Platform, keep: Keep, now: Date): Date {
  return new Date(now.getTime() - (typeof keep === "number" ? keep : environment[keep] * DAY_MS));
}

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

/** A job for a table whose ids are UUIDv7: it reads every page once, from the oldest row on. */
export function inPages(
  name: string,
  keep: Keep,
  remove: (tx: Db, range: Range, cutoff: Date) => Promise<Page>,
): RetentionJob {
  return {
    name,
    run: async (platform, { now, batchSize: limit, pauseMs, signal }) => {
      const cutoff = keptSince(platform, keep, now);
      const before = firstIdAt(cutoff);
      let after: string | undefined = firstIdAt(new Date(0));
      let removed = 0;
      while (after !== undefined && signal?.aborted !== true) {
        const range: Range = { after, before, limit };
        // Only one worker deletes at a time.
        const page = await platform.db.transaction(async (tx): Promise<Page> =>
          (await tryLock(tx, "retention")) ? remove(tx, range, cutoff) : { deleted: 0, last: undefined },
        );
        removed += page.deleted;
        after = page.last;
        if (after !== undefined) await sleep(pauseMs);
      }
      return removed;
    },
  };
}

/** A job for any other table: it removes batches until one is not full. */
export function inBatches(
  name: string,
  keep: Keep,
  remove: (tx: Db, cutoff: Date, limit: number) => Promise<number>,
): RetentionJob {
  return inPages(name, keep, async (tx, { after, limit }, cutoff) => {
    const deleted = await remove(tx, cutoff, limit);
    return { deleted, last: deleted < limit ? undefined : after };
  });
}

/** Deletes the rows `t` of a table for which `isOver` is true, and locks no others. */
export function deletePage(tx: Db, { after, before, limit }: Range, table: SQL, isOver: SQL): Promise<Page> {
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

/** @param statement selects `deleted` and `last` */
export async function runPage(tx: Db, statement: SQL): Promise<Page> {
  const { rows } = await tx.execute<{ deleted: number; last: string | null }>(statement);
  return { deleted: rows[0]?.deleted ?? 0, last: rows[0]?.last ?? undefined };
}

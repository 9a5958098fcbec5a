import { NOW, queryChanges, widenTransaction } from "../../live/queries";
import type { Source } from "../../live/watch-changes";

/** A version writes up to 200 lines a second, and up to 1,000 for a start. */
const MOST_CHANGES = 1_000;

const unseen = (row: string) => `
  cross join lateral (select ${widenTransaction(`${row}.low`, "n.next")} as transaction) w
  where ${row}.low >= 3 and not pg_visible_in_snapshot(w.transaction::text::xid8, $2::pg_snapshot)`;

/**
 * What was written since a cursor: one statement, so one snapshot. Lines are committed in the order of their numbers, so only
 * the newest are looked at, and none if the row that counts them is unchanged.
 */
const CHANGES = `
  with now as materialized (${NOW})
  select now.at, now.snapshot::text as snapshot, c.id, v.id as key, c.transaction::text as transaction
    from now
    left join (unnest($1::uuid[]) as v (id)
      cross join now as n
      cross join lateral (
        (select 'line ' || l.id as id, w.transaction
           from (select id, xmin::text::bigint as low from log_lines
                  where version_id = v.id
                    and exists (select from (select xmin::text::bigint as low from version_logs where version_id = v.id) h
                                ${unseen("h")})
                  order by id desc limit ${MOST_CHANGES + 1}) l
           ${unseen("l")})
        union all
        (select 'event ' || e.id as id, w.transaction
           from (select id, xmin::text::bigint as low from instance_events
                  where version_id = v.id order by id desc limit 100) e
           ${unseen("e")})) c) on true`;

/** The lines and events that were stored, by version. */
export const LOG_CHANGES: Source = {
  most: MOST_CHANGES,
  select: (pool, versionIds, since) => queryChanges(pool, CHANGES, [versionIds, since.snapshot]),
};

/** The numbers of the rows that changed. */
export function splitChanges(ids: readonly string[]): { lines: number[]; events: number[] } {
  const numbers = (kind: string) =>
    ids.flatMap((id) => (id.startsWith(kind) ? [Number(id.slice(kind.length))] : []));
  return { lines: numbers("line "), events: numbers("event ") };
}

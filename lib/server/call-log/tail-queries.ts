import { firstIdAt } from "@/lib/domain/call-range";
import { NOW, queryChanges, widenTransaction } from "../live/queries";
import type { Source } from "../live/watch-changes";

/** The longest time between a call's id and its last change: a lifecycle hook's 60 s, and time to record it. */
const LONGEST_CALL_MS = 120_000;

const MOST_CHANGES = 500;

/** What changed since a cursor, and the cursor that shows it: one statement, so one snapshot. */
const CHANGES = `
  with now as materialized (${NOW})
  select now.at, now.snapshot::text as snapshot, c.id, o.id as key, c.transaction::text as transaction
    from now
    left join (unnest($1::uuid[]) as o (id)
      cross join now as n
      cross join lateral (
        select a.id, w.transaction
          from attempts a
         cross join lateral (select a.xmin::text::bigint as low) x
         cross join lateral (select ${widenTransaction("x.low", "n.next")} as transaction) w
         where a.organization_id = o.id and a.id >= $2 and x.low >= 3
           and not pg_visible_in_snapshot(w.transaction::text::xid8, $3::pg_snapshot)
         order by a.id desc
         limit ${MOST_CHANGES + 1}) c) on true`;

/** The calls that were recorded or that ended, by organization. */
export const CALL_CHANGES: Source = {
  most: MOST_CHANGES,
  select: (pool, organizationIds, since) =>
    queryChanges(pool, CHANGES, [
      organizationIds,
      firstIdAt(new Date(since.at - LONGEST_CALL_MS)),
      since.snapshot,
    ]),
};

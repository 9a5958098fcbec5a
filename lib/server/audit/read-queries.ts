import { and, desc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import { audit, OF_MODERATORS } from "@/drizzle/schema/audit";
import type { AuditFilter } from "@/lib/contract/audit-view";
import type { Db } from "../database/connect";
import type { AuditRow } from "./queries";

/** One organization's trail; or what moderators see: the platform's trail, and reviews and suspensions of all. */
export type AuditScope = { organizationId: string } | "moderators";

export interface AuditCursor {
  at: string;
  id: string;
}

const isWithin = (scope: AuditScope): SQL =>
  scope === "moderators" ? sql`(${OF_MODERATORS})` : eq(audit.chain, scope.organizationId);

/** Newest first, in the order of an index for each filter. */
export async function selectAuditPage(
  db: Db,
  scope: AuditScope,
  { actor, action, subject, from, to }: AuditFilter,
  after: AuditCursor | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const matches = [
    actor === undefined ? undefined : eq(audit.actor, actor),
    action === undefined ? undefined : eq(audit.action, action),
    subject === undefined ? undefined : eq(audit.subject, subject),
    from === undefined ? undefined : gte(audit.at, new Date(`${from}T00:00:00Z`)),
    to === undefined ? undefined : lt(audit.at, dayAfter(to)),
    after === undefined
      ? undefined
      : sql`(${audit.at}, ${audit.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
  ];
  return db
    .select()
    .from(audit)
    .where(and(isWithin(scope), ...matches))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(limit);
}

function dayAfter(day: string): Date {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next;
}

const MOST_ACTORS = 200;

/** Jumps from actor to actor in the index, because a trail has many rows and few actors. */
export async function selectActors(db: Db, scope: AuditScope): Promise<string[]> {
  if (scope === "moderators") {
    const rows = await db
      .selectDistinct({ actor: audit.actor })
      .from(audit)
      .where(OF_MODERATORS)
      .limit(MOST_ACTORS);
    return rows.map(({ actor }) => actor);
  }
  const chain = scope.organizationId;
  const { rows } = await db.execute<{ actor: string }>(sql`
    with recursive found as (
      (select actor from audit where chain = ${chain} order by actor limit 1)
      union all
      select (select a.actor from audit a where a.chain = ${chain} and a.actor > found.actor order by a.actor limit 1)
        from found where found.actor is not null)
    select actor from found where actor is not null limit ${MOST_ACTORS}`);
  return rows.map(({ actor }) => actor);
}

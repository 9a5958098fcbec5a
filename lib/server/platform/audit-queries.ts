import { and, asc, eq, gt, gte, lt, sql, type SQL } from "drizzle-orm";
import { audit, auditHeads, auditKeys, OF_MODERATORS } from "@/drizzle/schema/platform";
import type { AuditFilter } from "@/lib/contract/platform/audit-view";
import { isId } from "@/lib/contract/platform/text";
import { endOfDay, startOfDay } from "@/lib/domain/platform/zoned-time";
import type { Db } from "./database/connect";
import { isBeyondKey, type KeyCursor, type Position, sortByKey, type Sorting } from "./database/paging";

export interface AuditHead {
  position: number;
  seal: string;
  headSeal: string;
}

type AuditRow = typeof audit.$inferSelect;
export type AuditKeyRow = typeof auditKeys.$inferSelect;

export async function selectAuditKeys(db: Db): Promise<AuditKeyRow[]> {
  return db.select().from(auditKeys);
}

/** False if there is a key with this id already. */
export async function insertAuditKey(db: Db, row: typeof auditKeys.$inferInsert): Promise<boolean> {
  const { rowCount } = await db.insert(auditKeys).values(row).onConflictDoNothing();
  return rowCount === 1;
}

export async function isAnyChainSealed(db: Db): Promise<boolean> {
  return (await db.select({ chain: auditHeads.chain }).from(auditHeads).limit(1)).length === 1;
}

/** The end of a chain, locked until the transaction ends so that rows are added one after another. */
export async function lockAuditHead(tx: Db, chain: string): Promise<AuditHead | undefined> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`audit/${chain}`}, 0))`);
  return readAuditHead(tx, chain);
}

export async function readAuditHead(db: Db, chain: string): Promise<AuditHead | undefined> {
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.chain, chain));
  return head;
}

export async function readAuditHeads(db: Db): Promise<Map<string, AuditHead>> {
  const heads = await db.select().from(auditHeads).orderBy(asc(auditHeads.chain));
  return new Map(heads.map(({ chain, ...head }) => [chain, head]));
}

/** The seals of these rows of a chain, as far as there are such rows. */
export async function selectAuditSeals(
  db: Db,
  chain: string,
  positions: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .select({ position: audit.position, seal: audit.seal })
    .from(audit)
    .where(and(eq(audit.chain, chain), sql`${audit.position} = any(${sql.param([...positions])}::int[])`));
  return new Map(rows.map(({ position, seal }) => [position, seal]));
}

export async function insertAuditRow(
  tx: Db,
  row: typeof audit.$inferInsert,
  headSeal: string,
): Promise<void> {
  await tx.insert(audit).values(row);
  const { chain, position, seal } = row;
  await tx
    .insert(auditHeads)
    .values({ chain, position, seal, headSeal })
    .onConflictDoUpdate({ target: auditHeads.chain, set: { position, seal, headSeal } });
}

/** First statement of a transaction: everything it reads comes from one snapshot. */
export async function useSnapshot(tx: Db): Promise<void> {
  await tx.execute(sql`set transaction isolation level repeatable read, read only`);
}

/** In order, `limit` at a time: a chain may be larger than memory. */
export async function selectAuditRows(
  db: Db,
  chain: string,
  position: number,
  limit: number,
): Promise<AuditRow[]> {
  return db
    .select()
    .from(audit)
    .where(and(eq(audit.chain, chain), gt(audit.position, position)))
    .orderBy(asc(audit.position))
    .limit(limit);
}

export async function selectAuditChains(db: Db): Promise<string[]> {
  const rows = await db
    .select({ chain: audit.chain })
    .from(audit)
    .union(db.select({ chain: auditHeads.chain }).from(auditHeads))
    .orderBy(asc(audit.chain));
  return rows.map((row) => row.chain);
}

/** Organizations of people without a trail. Each begins with the row of its creation. */
export async function selectWithoutTrail(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select o.id from organizations o
     where exists (select from memberships m where m.organization_id = o.id and m.role = 'owner')
       and not exists (select from audit a where a.chain = o.id::text)
     order by o.id`);
  return rows.map(({ id }) => id);
}

/** One organization's trail; or what moderators see: the platform's trail, and reviews and suspensions of all. */
export type AuditScope = { organizationId: string } | "moderators";

const isWithin = (scope: AuditScope): SQL =>
  scope === "moderators" ? sql`(${OF_MODERATORS})` : eq(audit.chain, scope.organizationId);

const NEWEST: Sorting = { by: audit.at, type: "timestamptz", order: "descending" };

function matchesFilter(
  scope: AuditScope,
  { actor, action, subject, from, to }: AuditFilter,
  zone: string,
): SQL | undefined {
  return and(
    isWithin(scope),
    actor === undefined ? undefined : eq(audit.actor, actor),
    action === undefined ? undefined : eq(audit.action, action),
    subject === undefined ? undefined : eq(audit.subject, subject),
    from === undefined ? undefined : gte(audit.at, startOfDay(from, zone)),
    to === undefined ? undefined : lt(audit.at, endOfDay(to, zone)),
  );
}

/** At most `most`, so that counting costs little. */
export async function countAudit(
  db: Db,
  scope: AuditScope,
  filter: AuditFilter,
  zone: string,
  most: number,
): Promise<number> {
  const found = db
    .select({ id: audit.id })
    .from(audit)
    .where(matchesFilter(scope, filter, zone))
    .limit(most)
    .as("found");
  return db.$count(found);
}

/** Newest first, in the order of an index for each filter. */
export async function selectAuditPage(
  db: Db,
  scope: AuditScope,
  filter: AuditFilter,
  zone: string,
  position: Position<KeyCursor> | undefined,
  limit: number,
): Promise<AuditRow[]> {
  return db
    .select()
    .from(audit)
    .where(and(matchesFilter(scope, filter, zone), isBeyondKey(NEWEST, position, audit.id)))
    .orderBy(...sortByKey(NEWEST, position, audit.id))
    .limit(limit);
}

/** Jumps from actor to actor in the index, because a trail has many rows and few actors. */
export async function selectActors(db: Db, scope: AuditScope): Promise<string[]> {
  const own = isWithin(scope);
  const { rows } = await db.execute<{ actor: string }>(sql`
    with recursive found as (
      (select actor from ${audit} where ${own} order by actor limit 1)
      union all
      select (select ${audit.actor} from ${audit} where ${own} and ${audit.actor} > found.actor order by ${audit.actor} limit 1)
        from found where found.actor is not null)
    select actor from found where actor is not null`);
  return rows.map(({ actor }) => actor);
}

const APP_FOR_TENANT = sql`l.title || ' for ' || t.name`;
const OF_INSTALLATION = sql`
  join installations i on i.id = x.installation_id join listings l on l.id = i.listing_id join tenants t on t.id = i.tenant_id`;

/** Id and name of each kind's rows with these ids. A moderator has no name for organizations that they don't belong to. */
function namesOf(kind: string, scope: AuditScope): SQL | undefined {
  switch (kind) {
    case "user":
      return scope === "moderators"
        ? sql`select x.id, x.name from users x`
        : sql`select x.id, case when x.moderator and not exists (
                select from memberships m where m.user_id = x.id and m.organization_id = ${scope.organizationId})
                then 'A moderator' else x.name end as name from users x`;
    case "api-key":
      return sql`select x.id, 'API key ' || x.name as name from api_keys x`;
    case "core":
      return sql`select x.id, 'The core of ' || x.name as name from tenants x`;
    case "domain":
      return sql`select x.id, x.domain as name from organization_domains x`;
    case "tenant":
      return sql`select x.id, x.name from tenants x`;
    case "organization":
      return sql`select x.id, x.name from organizations x`;
    case "invitation":
      return sql`select x.id, 'an invitation' || coalesce(' for ' || x.email, '') as name from invitations x`;
    case "listing":
      return sql`select x.id, x.title as name from listings x`;
    case "version":
      return sql`select x.id, l.title || ' ' || x.number as name from versions x join listings l on l.id = x.listing_id`;
    case "review":
      return sql`select x.id, l.title || coalesce(' ' || v.number, ' (text)') as name
                   from reviews x join listings l on l.id = x.listing_id left join versions v on v.id = x.version_id`;
    case "installation":
      return sql`select x.id, ${APP_FOR_TENANT} as name
                   from installations x join listings l on l.id = x.listing_id join tenants t on t.id = x.tenant_id`;
    case "launch-request":
      return sql`select x.id, 'the request to launch ' || ${APP_FOR_TENANT} as name
                   from launch_requests x join listings l on l.id = x.listing_id join tenants t on t.id = x.tenant_id`;
    case "route":
      return sql`select x.id, ${APP_FOR_TENANT} as name from routes x ${OF_INSTALLATION}`;
    case "upgrade":
      return sql`select x.id, 'the upgrade of ' || ${APP_FOR_TENANT} as name from upgrades x ${OF_INSTALLATION}`;
    default:
      return undefined;
  }
}

/** Rows that no longer exist have none. */
export async function selectNames(
  db: Db,
  scope: AuditScope,
  kind: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const names = namesOf(kind, scope);
  const known = ids.filter(isId);
  if (names === undefined || known.length === 0) return [];
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`${names} where x.id = any(${sql.param(known)}::uuid[])`,
  );
  return rows;
}

/** Whether the trail of the platform has this action on this subject. */
export async function isRecorded(db: Db, action: string, subject: string): Promise<boolean> {
  const recorded = and(eq(audit.chain, "platform"), eq(audit.action, action), eq(audit.subject, subject));
  return (await db.$count(audit, recorded)) > 0;
}

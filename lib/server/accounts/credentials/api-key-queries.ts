import { and, eq, gt, inArray, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { apiKeys, organizations, users } from "@/drizzle/schema/accounts";
import type { Db } from "../../platform/database/connect";
import { containsFolded } from "../../platform/database/expressions";
import {
  isBeyondKey,
  type KeyCursor,
  type Position,
  selectKey,
  sortByKey,
  type Sorting,
} from "../../platform/database/paging";

/** Not revoked, and not expired by the database's clock. */
export const works = sql<boolean>`(${and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
)})`;

/** The key with its organization, even if it no longer works. */
export async function selectApiKey(db: Db, clientId: string) {
  const [row] = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      keyHash: apiKeys.keyHash,
      scopes: apiKeys.scopes,
      works,
      createdBy: apiKeys.createdBy,
      organizationId: apiKeys.organizationId,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
    })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(eq(apiKeys.clientId, clientId));
  return row;
}

/** Ordered by id, so that two processes cannot deadlock. One of them writes, the other one finds nothing to do. */
const TOUCH = `
  with used as (select unnest($1::uuid[]) as id, unnest($2::text[]) as network),
       stale as (
         select k.id, used.network from api_keys k join used on used.id = k.id
          where k.last_used_at is null or k.last_used_at < now() - interval '50 seconds'
             or k.last_used_from <> used.network
          order by k.id for no key update of k)
  update api_keys k set last_used_at = now(), last_used_from = stale.network from stale where k.id = stale.id`;

/** `uses`: the network of each key's last use, by the key's id. */
export async function touchApiKeys(pool: Pool, uses: ReadonlyMap<string, string>): Promise<void> {
  await pool.query(TOUCH, [[...uses.keys()], [...uses.values()]]);
}

/** Whether the key still works. */
export async function isActiveKey(db: Db, apiKeyId: string): Promise<boolean> {
  return (await db.$count(apiKeys, and(eq(apiKeys.id, apiKeyId), works))) === 1;
}

/** False if the key no longer works. Otherwise it can't be revoked until the transaction ends. */
export async function lockApiKey(tx: Db, apiKeyId: string): Promise<boolean> {
  const live = and(eq(apiKeys.id, apiKeyId), works);
  return (await tx.select({ id: apiKeys.id }).from(apiKeys).where(live).for("share")).length === 1;
}

export async function insertApiKey(tx: Db, row: typeof apiKeys.$inferInsert): Promise<string> {
  const [apiKey] = await tx.insert(apiKeys).values(row).returning({ id: apiKeys.id });
  if (apiKey === undefined) throw new Error("the API key was not stored");
  return apiKey.id;
}

/** Returns the ids of the keys that it revoked: those that were not revoked before. */
async function revokeWhere(tx: Db, condition: SQL | undefined): Promise<string[]> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(condition, isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.map(({ id }) => id);
}

/** False if the key is another organization's or already revoked. */
export async function revokeApiKeyRow(tx: Db, organizationId: string, id: string): Promise<boolean> {
  const own = and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId));
  return (await revokeWhere(tx, own)).length === 1;
}

/** Revokes the keys that the person created for the organization, and returns their ids. */
export async function revokeApiKeysOf(tx: Db, organizationId: string, userId: string): Promise<string[]> {
  return revokeWhere(tx, and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.createdBy, userId)));
}

/** Ends the key in `seconds`, or earlier if it ends earlier. Undefined if it is another organization's or no longer works. */
export async function replaceApiKeyRow(tx: Db, organizationId: string, id: string, seconds: number) {
  const end = sql`least(${apiKeys.expiresAt}, now() + make_interval(secs => ${seconds}))`;
  const [replaced] = await tx
    .update(apiKeys)
    // The person who rotates a key knows that it ends.
    .set({ ...(seconds === 0 ? { revokedAt: sql`now()` } : { expiresAt: end }), expiryToldAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), works))
    .returning({ name: apiKeys.name, scopes: apiKeys.scopes });
  return replaced;
}

/** Marks keys that expire within `days` as notified, and returns them: each once, even to concurrent workers. */
export async function claimExpiringKeys(tx: Db, days: number, limit: number) {
  const due = tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.expiryToldAt),
        gt(apiKeys.expiresAt, sql`now()`),
        lt(apiKeys.expiresAt, sql`now() + make_interval(days => ${days})`),
      ),
    )
    .limit(limit)
    .for("update", { skipLocked: true });
  return tx
    .update(apiKeys)
    .set({ expiryToldAt: sql`now()` })
    .where(inArray(apiKeys.id, due))
    .returning({
      id: apiKeys.id,
      name: apiKeys.name,
      organizationId: apiKeys.organizationId,
      expiresAt: apiKeys.expiresAt,
    });
}

/** Keys that were never used come last, and so do keys that never expire. */
export const API_KEY_SORTS = {
  newest: { by: apiKeys.createdAt, type: "timestamptz", order: "descending" },
  used: {
    by: sql`coalesce(${apiKeys.lastUsedAt}, to_timestamp(0))`,
    type: "timestamptz",
    order: "descending",
  },
  expires: {
    by: sql`coalesce(${apiKeys.expiresAt}, '9999-12-31Z'::timestamptz)`,
    type: "timestamptz",
    order: "ascending",
  },
} as const satisfies Record<string, Sorting>;

export interface ApiKeyFilter {
  search?: string;
  /** Those that expired or were revoked, instead of those that work. */
  ended: boolean;
}

const matchesKey = (organizationId: string, { search }: Pick<ApiKeyFilter, "search">) =>
  and(eq(apiKeys.organizationId, organizationId), containsFolded(search, apiKeys.name, apiKeys.clientId));

/** Without hashes. */
export async function selectApiKeys(
  db: Db,
  organizationId: string,
  filter: ApiKeyFilter,
  sorting: Sorting,
  { position, limit }: { position?: Position<KeyCursor>; limit: number },
) {
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      clientId: apiKeys.clientId,
      createdBy: users.name,
      createdAt: apiKeys.createdAt,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      lastUsedFrom: apiKeys.lastUsedFrom,
      revokedAt: apiKeys.revokedAt,
      cursor: selectKey(sorting),
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .where(
      and(
        matchesKey(organizationId, filter),
        filter.ended ? not(works) : works,
        isBeyondKey(sorting, position, apiKeys.id),
      ),
    )
    .orderBy(...sortByKey(sorting, position, apiKeys.id))
    .limit(limit);
}

/** How many match the search. */
export async function countApiKeys(db: Db, organizationId: string, search: string | undefined) {
  const [counts] = await db
    .select({
      working: sql<number>`(count(*) filter (where ${works}))::int`,
      ended: sql<number>`(count(*) filter (where not ${works}))::int`,
    })
    .from(apiKeys)
    .where(matchesKey(organizationId, { search }));
  if (counts === undefined) throw new Error("an aggregate returned no row");
  return counts;
}

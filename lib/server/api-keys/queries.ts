import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { apiKeys, organizations, users } from "@/drizzle/schema/organizations";
import { isId } from "@/lib/contract/names";
import type { Db } from "../database/connect";
import { contains } from "../database/search";

/** The key with its organization; revoked ones too. */
export async function selectApiKey(db: Db, clientId: string) {
  const [row] = await db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      keyHash: apiKeys.keyHash,
      revokedAt: apiKeys.revokedAt,
      organizationId: apiKeys.organizationId,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
    })
    .from(apiKeys)
    .innerJoin(organizations, eq(organizations.id, apiKeys.organizationId))
    .where(eq(apiKeys.clientId, clientId));
  return row;
}

/** At most one write a minute, however busy the key is. */
export async function touchApiKey(db: Db, apiKeyId: string): Promise<void> {
  const stale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, apiKeyId), stale));
}

/** False once it is revoked; until the transaction ends it cannot be. */
export async function lockApiKey(tx: Db, apiKeyId: string): Promise<boolean> {
  const live = and(eq(apiKeys.id, apiKeyId), isNull(apiKeys.revokedAt));
  return (await tx.select({ id: apiKeys.id }).from(apiKeys).where(live).for("share")).length === 1;
}

export async function insertApiKey(tx: Db, row: typeof apiKeys.$inferInsert): Promise<string> {
  const [apiKey] = await tx.insert(apiKeys).values(row).returning({ id: apiKeys.id });
  if (apiKey === undefined) throw new Error("the API Key was not stored");
  return apiKey.id;
}

/** True when this call revoked it; false when it is not this organization's, or is revoked already. */
export async function revokeApiKeyRow(tx: Db, organizationId: string, id: string): Promise<boolean> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.length === 1;
}

export type ApiKeyRow = Awaited<ReturnType<typeof selectApiKeys>>[number];

/** Newest first; never the hash. */
export async function selectApiKeys(
  db: Db,
  organizationId: string,
  filter: { search?: string; after?: string; limit: number },
) {
  // A cursor that is no id starts at the first page: it came from an address, which people edit.
  const after = filter.after !== undefined && isId(filter.after) ? lt(apiKeys.id, filter.after) : undefined;
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      clientId: apiKeys.clientId,
      createdBy: users.name,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.createdBy))
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        contains(filter.search, apiKeys.name, apiKeys.clientId),
        after,
      ),
    )
    .orderBy(desc(apiKeys.id))
    .limit(filter.limit);
}

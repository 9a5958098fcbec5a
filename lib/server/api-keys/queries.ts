import { and, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { apiKeys, organizations, users } from "@/drizzle/schema/organizations";
import { isId } from "@/lib/contract/names";
import type { Db } from "../database/connect";
import { contains } from "../database/search";

/** The key with its organization, also if it is revoked. */
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

/** At most one write per minute and key. */
export async function touchApiKey(db: Db, apiKeyId: string): Promise<void> {
  const stale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, apiKeyId), stale));
}

/** False if the key is revoked. Otherwise it can't be revoked until the transaction ends. */
export async function lockApiKey(tx: Db, apiKeyId: string): Promise<boolean> {
  const live = and(eq(apiKeys.id, apiKeyId), isNull(apiKeys.revokedAt));
  return (await tx.select({ id: apiKeys.id }).from(apiKeys).where(live).for("share")).length === 1;
}

export async function insertApiKey(tx: Db, row: typeof apiKeys.$inferInsert): Promise<string> {
  const [apiKey] = await tx.insert(apiKeys).values(row).returning({ id: apiKeys.id });
  if (apiKey === undefined) throw new Error("the API key was not stored");
  return apiKey.id;
}

/** False if the key is another organization's or already revoked. */
export async function revokeApiKeyRow(tx: Db, organizationId: string, id: string): Promise<boolean> {
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.organizationId, organizationId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.length === 1;
}

export type ApiKeyRow = Awaited<ReturnType<typeof selectApiKeys>>[number];

/** Newest first, without hashes. */
export async function selectApiKeys(
  db: Db,
  organizationId: string,
  filter: { search?: string; after?: string; limit: number },
) {
  // The cursor comes from the URL. An invalid one starts at the first page.
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

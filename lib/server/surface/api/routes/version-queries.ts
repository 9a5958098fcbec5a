import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { apiKeys, users } from "@/drizzle/schema/accounts";
import { reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import type { ReviewState } from "@/lib/contract/catalog/listing";
import { isCounted, LIVE_STATES } from "../../../catalog/listing-queries";
import type { Db } from "../../../platform/database/connect";

/** A page of an app's versions, newest first, with the names of who published them. */
export async function selectVersionPage(
  db: Db,
  listingId: string,
  { before, limit }: { before?: string; limit: number },
) {
  const live = db
    .select({ count: sql<number>`count(*)::int` })
    .from(installations)
    .where(
      and(
        eq(installations.versionId, versions.id),
        inArray(installations.state, [...LIVE_STATES]),
        isCounted,
      ),
    );
  const newestReview = db
    .select({ state: reviews.state })
    .from(reviews)
    .where(eq(reviews.versionId, versions.id))
    .orderBy(desc(reviews.id))
    .limit(1);
  return db
    .select({
      id: versions.id,
      version: versions.number,
      imageDigest: versions.imageDigest,
      bytes: versions.archiveBytes,
      publishedAt: versions.createdAt,
      publishedBy: sql<string | null>`coalesce(${users.name}, 'API key ' || ${apiKeys.name})`,
      verifiedAt: versions.verifiedAt,
      review: sql<ReviewState | null>`(${newestReview})`,
      installations: sql<number>`(${live})`,
      releaseNotes: versions.releaseNotes,
    })
    .from(versions)
    .leftJoin(users, eq(sql`'user:' || ${users.id}`, versions.publishedBy))
    .leftJoin(apiKeys, eq(sql`'api-key:' || ${apiKeys.id}`, versions.publishedBy))
    .where(and(eq(versions.listingId, listingId), before === undefined ? undefined : lt(versions.id, before)))
    .orderBy(desc(versions.id))
    .limit(limit);
}

import { and, asc, count, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { memberships, users } from "@/drizzle/schema/accounts";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import { reviewComments } from "@/drizzle/schema/moderation";
import type { Db } from "../platform/database/connect";

/** The review that a conversation is about, and whether this user belongs to its publisher. */
export async function selectConversation(db: Db, reviewId: string, userId: string) {
  const [found] = await db
    .select({
      reviewId: reviews.id,
      kind: reviews.kind,
      text: reviews.text,
      listingId: listings.id,
      title: listings.title,
      appName: listings.appName,
      organizationId: listings.organizationId,
      manifestText: versions.manifestText,
      belongs: sql<boolean>`${memberships.userId} is not null`,
    })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .leftJoin(versions, eq(versions.id, reviews.versionId))
    .leftJoin(
      memberships,
      and(eq(memberships.organizationId, listings.organizationId), eq(memberships.userId, userId)),
    )
    .where(eq(reviews.id, reviewId));
  return found;
}

export type Conversation = NonNullable<Awaited<ReturnType<typeof selectConversation>>>;

/** In the order in which they were written. */
export async function selectComments(db: Db, reviewId: string) {
  const resolver = alias(users, "resolver");
  return db
    .select({
      id: reviewComments.id,
      parentId: reviewComments.parentId,
      authorId: reviewComments.authorId,
      author: users.name,
      moderator: reviewComments.moderator,
      body: reviewComments.body,
      anchor: reviewComments.anchor,
      createdAt: reviewComments.createdAt,
      editedAt: reviewComments.editedAt,
      resolvedAt: reviewComments.resolvedAt,
      resolvedBy: resolver.name,
    })
    .from(reviewComments)
    .innerJoin(users, eq(users.id, reviewComments.authorId))
    .leftJoin(resolver, eq(resolver.id, reviewComments.resolvedBy))
    .where(eq(reviewComments.reviewId, reviewId))
    .orderBy(asc(reviewComments.id));
}

export type CommentRow = Awaited<ReturnType<typeof selectComments>>[number];

/** The moderators who take part: the one who claimed the review, and those who commented. */
export async function selectModerators(tx: Db, reviewId: string): Promise<string[]> {
  const holder = tx
    .select({ id: sql<string>`${reviews.claimedBy}` })
    .from(reviews)
    .where(and(eq(reviews.id, reviewId), isNotNull(reviews.claimedBy)));
  const rows = await tx
    .select({ id: sql<string>`${reviewComments.authorId}` })
    .from(reviewComments)
    .where(and(eq(reviewComments.reviewId, reviewId), eq(reviewComments.moderator, true)))
    .union(holder);
  return rows.map(({ id }) => id).sort();
}

/** How many comments each of these reviews has. */
export async function countComments(db: Db, reviewIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ reviewId: reviewComments.reviewId, comments: count() })
    .from(reviewComments)
    .where(inArray(reviewComments.reviewId, [...reviewIds]))
    .groupBy(reviewComments.reviewId);
  return new Map(rows.map(({ reviewId, comments }) => [reviewId, comments]));
}

export async function insertComment(tx: Db, row: typeof reviewComments.$inferInsert): Promise<string> {
  const [stored] = await tx.insert(reviewComments).values(row).returning({ id: reviewComments.id });
  if (stored === undefined) throw new Error("the comment was not stored");
  return stored.id;
}

/** Whether a comment starts a thread of this review. */
export async function startsThread(tx: Db, reviewId: string, commentId: string): Promise<boolean> {
  const root = and(
    eq(reviewComments.id, commentId),
    eq(reviewComments.reviewId, reviewId),
    isNull(reviewComments.parentId),
  );
  return (await tx.$count(reviewComments, root)) === 1;
}

interface OwnComment {
  reviewId: string;
  commentId: string;
  authorId: string;
}

export async function isOwnComment(db: Db, own: OwnComment): Promise<boolean> {
  return (await db.$count(reviewComments, isOwn(own))) === 1;
}

function isOwn({ reviewId, commentId, authorId }: OwnComment) {
  return and(
    eq(reviewComments.id, commentId),
    eq(reviewComments.reviewId, reviewId),
    eq(reviewComments.authorId, authorId),
  );
}

/** False if it was written before `writtenAfter`. */
export async function editComment(
  tx: Db,
  own: OwnComment,
  body: string,
  writtenAfter: Date,
): Promise<boolean> {
  const edited = await tx
    .update(reviewComments)
    .set({ body, editedAt: new Date() })
    .where(and(isOwn(own), gt(reviewComments.createdAt, writtenAfter)))
    .returning({ id: reviewComments.id });
  return edited.length === 1;
}

/** Resolving a resolved thread changes nothing: the first person is kept. False in that case. */
export async function resolveThread(
  tx: Db,
  reviewId: string,
  commentId: string,
  resolvedBy: string | null,
): Promise<boolean> {
  const open = isNull(reviewComments.resolvedAt);
  const resolved = await tx
    .update(reviewComments)
    .set({ resolvedBy, resolvedAt: resolvedBy === null ? null : new Date() })
    .where(
      and(
        eq(reviewComments.id, commentId),
        eq(reviewComments.reviewId, reviewId),
        isNull(reviewComments.parentId),
        resolvedBy === null ? sql`not ${open}` : open,
      ),
    )
    .returning({ id: reviewComments.id });
  return resolved.length === 1;
}

/** The queue, as moderators filter it and as publishers see their place in it. */
import { and, asc, eq, gte, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { memberships, organizations, users } from "@/drizzle/schema/accounts";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import type { ReviewKind, ReviewState } from "@/lib/contract/catalog/listing";
import type { Db } from "../platform/database/connect";
import { containsFolded } from "../platform/database/expressions";
import {
  cursorMoment,
  isBeyondId,
  isBeyondMoment,
  type MomentCursor,
  type Position,
  sortBy,
} from "../platform/database/paging";

export type ClaimFilter = "mine" | "unclaimed" | "claimed";
export type QueueOrder = "due" | "age";

export interface QueueFilter {
  state: ReviewState;
  kind?: ReviewKind;
  claim?: ClaimFilter;
  /** The moderator. */
  userId: string;
  /** Claims made before this time have ended. */
  claimedSince: Date;
  dueBefore?: Date;
  submittedBefore?: Date;
  /** The publisher's slug. */
  publisher?: string;
  search?: string;
  order: QueueOrder;
}

interface QueuePage extends QueueFilter {
  /** Only a list by due date needs due dates: ids sort by creation time. */
  position?: Position<string | MomentCursor>;
  limit: number;
}

export type QueueRow = Awaited<ReturnType<typeof selectQueue>>[number];

/** Pending reviews by due date or age, decided ones newest first. Ids sort by creation time. */
export async function selectQueue(db: Db, filter: QueuePage) {
  const { state, kind, publisher, search, dueBefore, submittedBefore } = filter;
  const claimer = alias(users, "claimer");
  const waiting = state === "PENDING";
  const byDue = waiting && filter.order === "due";
  const { position } = filter;
  return db
    .select({
      id: reviews.id,
      kind: reviews.kind,
      state: reviews.state,
      createdAt: reviews.createdAt,
      dueAt: reviews.dueAt,
      decidedAt: reviews.decidedAt,
      claimedBy: reviews.claimedBy,
      claimedAt: reviews.claimedAt,
      claimer: claimer.name,
      organizationSlug: organizations.slug,
      organizationName: organizations.name,
      appName: listings.appName,
      title: listings.title,
      versionNumber: versions.number,
      own: sql<boolean>`${memberships.userId} is not null`,
      cursor: cursorMoment(reviews.dueAt),
    })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .leftJoin(versions, eq(versions.id, reviews.versionId))
    .leftJoin(claimer, eq(claimer.id, reviews.claimedBy))
    .leftJoin(
      memberships,
      and(eq(memberships.organizationId, organizations.id), eq(memberships.userId, filter.userId)),
    )
    .where(
      and(
        eq(reviews.state, state),
        kind === undefined ? undefined : eq(reviews.kind, kind),
        matchesClaim(filter),
        dueBefore === undefined ? undefined : lt(reviews.dueAt, dueBefore),
        submittedBefore === undefined ? undefined : lt(reviews.createdAt, submittedBefore),
        publisher === undefined ? undefined : eq(organizations.slug, publisher),
        containsFolded(search, listings.title, listings.appName, organizations.name),
        isBeyond(position, waiting),
      ),
    )
    .orderBy(
      ...(byDue ? sortBy("ascending", position, reviews.dueAt) : []),
      ...sortBy(waiting ? "ascending" : "descending", position, reviews.id),
    )
    .limit(filter.limit);
}

function matchesClaim({ claim, userId, claimedSince }: QueueFilter): SQL | undefined {
  const isClaimed = gte(reviews.claimedAt, claimedSince);
  if (claim === "mine") return and(eq(reviews.claimedBy, userId), isClaimed);
  if (claim === "claimed") return isClaimed;
  if (claim === "unclaimed") return or(isNull(reviews.claimedAt), lt(reviews.claimedAt, claimedSince));
  return undefined;
}

function isBeyond(position: QueuePage["position"], waiting: boolean): SQL | undefined {
  if (position === undefined) return undefined;
  const { cursor, isBackward } = position;
  if (typeof cursor === "string")
    return isBeyondId({ cursor, isBackward }, reviews.id, waiting ? "ascending" : "descending");
  return isBeyondMoment({ cursor, isBackward }, reviews.dueAt, reviews.id, "ascending");
}

export async function countReviews(db: Db): Promise<Partial<Record<ReviewState, number>>> {
  const rows = await db
    .select({ state: reviews.state, count: sql<number>`count(*)::int` })
    .from(reviews)
    .groupBy(reviews.state);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Publishers with pending reviews by name, and how many there are. The one with the slug `chosen` comes first. */
export async function selectWaitingPublishers(db: Db, chosen: string | undefined, limit: number) {
  const waiting = db
    .selectDistinct({ slug: organizations.slug, name: organizations.name })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(eq(reviews.state, "PENDING"))
    .as("waiting");
  return db
    .select({
      slug: waiting.slug,
      name: waiting.name,
      total: sql<number>`count(*) over ()`.mapWith(Number),
    })
    .from(waiting)
    .orderBy(sql`${waiting.slug} = ${chosen ?? ""} desc`, asc(waiting.name), asc(waiting.slug))
    .limit(limit);
}

/** 1 for the review that is due first. */
export async function readPlace(db: Db, { id, dueAt }: { id: string; dueAt: Date }): Promise<number> {
  const before = sql`(${reviews.dueAt}, ${reviews.id}) < (${dueAt.toISOString()}::timestamptz, ${id}::uuid)`;
  return 1 + (await db.$count(reviews, and(eq(reviews.state, "PENDING"), before)));
}

/** How many decisions count as recent. */
const RECENT = 50;

/** The median time from submission to decision of the last reviews of a kind, in milliseconds; null if there are none. */
export async function readMedianMs(db: Db, kind: ReviewKind): Promise<number | null> {
  const { rows } = await db.execute<{ median: number | null }>(sql`
    select percentile_cont(0.5) within group (order by extract(epoch from decided_at - created_at)) * 1000 as median
      from (select r.decided_at, r.created_at from reviews r
             where r.kind = ${kind} and r.decided_by is not null
             order by r.decided_at desc limit ${RECENT}) recent`);
  return rows[0]?.median ?? null;
}

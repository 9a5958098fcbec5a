/** The queue, as moderators filter it and as publishers see their place in it. */
import { and, asc, eq, gte, isNull, lt, ne, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { memberships, organizations, users } from "@/drizzle/schema/accounts";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import type { ReviewKind, ReviewState } from "@/lib/contract/catalog/listing";
import type { Db } from "../platform/database/connect";
import { containsFolded } from "../platform/database/expressions";
import {
  isBeyondKey,
  type KeyCursor,
  type Position,
  selectKey,
  sortByKey,
  type Sorting,
} from "../platform/database/paging";

export type ClaimFilter = "mine" | "unclaimed" | "claimed";

/** Those that wait are sorted by due date or age, decided ones by when they were submitted or ended. */
export const QUEUE_SORTS = {
  due: { by: reviews.dueAt, type: "timestamptz", order: "ascending" },
  age: { by: reviews.createdAt, type: "timestamptz", order: "ascending" },
  newest: { by: reviews.createdAt, type: "timestamptz", order: "descending" },
  ended: {
    by: sql`coalesce(${reviews.decidedAt}, ${reviews.createdAt})`,
    type: "timestamptz",
    order: "descending",
  },
} as const satisfies Record<string, Sorting>;

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
  order: keyof typeof QUEUE_SORTS;
}

interface QueuePage extends QueueFilter {
  position?: Position<KeyCursor>;
  limit: number;
}

export type QueueRow = Awaited<ReturnType<typeof selectQueue>>[number];

export async function selectQueue(db: Db, filter: QueuePage) {
  const claimer = alias(users, "claimer");
  const sorting = QUEUE_SORTS[filter.order];
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
      cursor: selectKey(sorting),
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
        eq(reviews.state, filter.state),
        matchesFilter(filter),
        isBeyondKey(sorting, filter.position, reviews.id),
      ),
    )
    .orderBy(...sortByKey(sorting, filter.position, reviews.id))
    .limit(filter.limit);
}

/** In any state. */
function matchesFilter(filter: QueueFilter): SQL | undefined {
  const { kind, publisher, search, dueBefore, submittedBefore } = filter;
  const waiting = and(
    matchesClaim(filter),
    dueBefore === undefined ? undefined : lt(reviews.dueAt, dueBefore),
    submittedBefore === undefined ? undefined : lt(reviews.createdAt, submittedBefore),
  );
  return and(
    kind === undefined ? undefined : eq(reviews.kind, kind),
    publisher === undefined ? undefined : eq(organizations.slug, publisher),
    containsFolded(search, listings.title, listings.appName, organizations.name),
    waiting && or(ne(reviews.state, "PENDING"), waiting),
  );
}

function matchesClaim({ claim, userId, claimedSince }: QueueFilter): SQL | undefined {
  const isClaimed = gte(reviews.claimedAt, claimedSince);
  if (claim === "mine") return and(eq(reviews.claimedBy, userId), isClaimed);
  if (claim === "claimed") return isClaimed;
  if (claim === "unclaimed") return or(isNull(reviews.claimedAt), lt(reviews.claimedAt, claimedSince));
  return undefined;
}

/** How many reviews of each state a filter leaves. */
export async function countReviews(
  db: Db,
  filter: QueueFilter,
): Promise<Partial<Record<ReviewState, number>>> {
  // Without a filter that needs them, PostgreSQL drops left joins.
  const rows = await db
    .select({ state: reviews.state, count: sql<number>`count(*)::int` })
    .from(reviews)
    .leftJoin(listings, eq(listings.id, reviews.listingId))
    .leftJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(matchesFilter(filter))
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

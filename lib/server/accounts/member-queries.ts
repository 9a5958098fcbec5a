import { and, asc, count, eq, gt, isNull, max, ne, or, type SQLWrapper, sql } from "drizzle-orm";
import { apiKeys, invitations, memberships, organizations, sessions, users } from "@/drizzle/schema/accounts";
import { type Role, ROLES } from "@/lib/contract/platform/role";
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
import { works as keyWorks } from "./credentials/api-key-queries";

/** Changes to the members of an organization run one after another, so that each one sees who is left. */
export async function lockMembers(tx: Db, organizationId: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
}

/**
 * Whether an organization is this publisher, or shares a person with it. Then it counts as the publisher's own in all figures: nobody moves
 * the figures of their own app, whatever organizations they create. See docs/decisions/055.
 */
export const countsAsOwn = (organizationId: SQLWrapper, publisherId: SQLWrapper | string) => sql<boolean>`(
  ${organizationId} = ${publisherId} or exists (
    select from memberships publishing join memberships using_it on using_it.user_id = publishing.user_id
     where publishing.organization_id = ${publisherId} and using_it.organization_id = ${organizationId}))`;

export async function isPublishersOwn(db: Db, organizationId: string, publisherId: string): Promise<boolean> {
  const { rows } = await db.execute<{ own: boolean }>(
    sql`select ${countsAsOwn(sql`${organizationId}::uuid`, sql`${publisherId}::uuid`)} as own`,
  );
  return rows[0]?.own === true;
}

const isMembership = (organizationId: string, userId: string) =>
  and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId));

/** Another owner than this one. Only reliable after `lockMembers`. */
const anotherOwner = (organizationId: string, userId: string) => sql`exists (
  select 1 from ${memberships} other
   where other.organization_id = ${organizationId} and other.user_id <> ${userId} and other.role = 'owner')`;

export async function selectMembership(db: Db, organizationId: string, userId: string) {
  const [found] = await db
    .select({ role: memberships.role, name: users.name, organizationName: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(isMembership(organizationId, userId));
  return found;
}

/** False if the organization would have no owner then. */
export async function updateRole(
  tx: Db,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<boolean> {
  const keepsOwner = or(
    ne(memberships.role, "owner"),
    sql`${role} = 'owner'`,
    anotherOwner(organizationId, userId),
  );
  const changed = await tx
    .update(memberships)
    .set({ role })
    .where(and(isMembership(organizationId, userId), keepsOwner))
    .returning({ userId: memberships.userId });
  return changed.length === 1;
}

/**
 * Ends the membership, and moves the person's sessions to another organization of theirs. False if the organization
 * would have no owner then.
 */
export async function deleteMembership(tx: Db, organizationId: string, userId: string): Promise<boolean> {
  const keepsOwner = or(ne(memberships.role, "owner"), anotherOwner(organizationId, userId));
  const deleted = await tx
    .delete(memberships)
    .where(and(isMembership(organizationId, userId), keepsOwner))
    .returning({ userId: memberships.userId });
  if (deleted.length === 0) return false;
  const next = tx
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.createdAt))
    .limit(1);
  await tx
    .update(sessions)
    .set({ organizationId: sql`(${next})` })
    .where(and(eq(sessions.userId, userId), eq(sessions.organizationId, organizationId)));
  return true;
}

/** False if the person is a member already. */
export async function insertMember(
  tx: Db,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<boolean> {
  const inserted = await tx
    .insert(memberships)
    .values({ organizationId, userId, role })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return inserted.length === 1;
}

const matchesMember = (organizationId: string, search: string | undefined) =>
  and(eq(memberships.organizationId, organizationId), containsFolded(search, users.name, users.email));

export async function countMembers(db: Db, organizationId: string, search?: string): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(matchesMember(organizationId, search));
  return found?.count ?? 0;
}

/** Those who were never seen come last. Only this order looks at the sessions of everyone: a year leaves many of each. */
const lastSeen = sql`coalesce((
  select max(seen.last_seen_at) from ${sessions} seen
   where seen.user_id = ${memberships.userId} and seen.organization_id = ${memberships.organizationId}), to_timestamp(0))`;

export const MEMBER_SORTS = {
  joined: { by: memberships.createdAt, type: "timestamptz", order: "ascending" },
  name: { by: sql`lower(${users.name})`, type: "text", order: "ascending" },
  role: {
    by: sql`array_position(${sql.param([...ROLES])}::text[], ${memberships.role}::text)`,
    type: "integer",
    order: "ascending",
  },
  seen: { by: lastSeen, type: "timestamptz", order: "descending" },
} as const satisfies Record<string, Sorting>;

interface MemberFilter {
  search?: string;
  sorting: Sorting;
  position?: Position<KeyCursor>;
  limit: number;
}

export async function selectMembers(
  db: Db,
  organizationId: string,
  { search, sorting, position, limit }: MemberFilter,
) {
  const keys = db
    .select({ userId: apiKeys.createdBy, active: count().as("active") })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), keyWorks))
    .groupBy(apiKeys.createdBy)
    .as("keys");
  const page = db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      key: sql`${sorting.by}`.as("key"),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(matchesMember(organizationId, search), isBeyondKey(sorting, position, users.id)))
    .orderBy(...sortByKey(sorting, position, users.id))
    .limit(limit)
    .as("page");
  // Only of the people on the page: a year leaves many sessions of each.
  const seen = db
    .select({ at: max(sessions.lastSeenAt).as("at") })
    .from(sessions)
    .where(and(eq(sessions.userId, page.userId), eq(sessions.organizationId, organizationId)))
    .as("seen");
  return db
    .select({
      id: page.userId,
      name: page.name,
      email: page.email,
      role: page.role,
      joinedAt: page.joinedAt,
      lastSeenAt: seen.at,
      apiKeys: sql<number>`coalesce(${keys.active}, 0)::int`,
      cursor: selectKey({ ...sorting, by: page.key }),
    })
    .from(page)
    .leftJoinLateral(seen, sql`true`)
    .leftJoin(keys, eq(keys.userId, page.userId))
    .orderBy(...sortByKey({ ...sorting, by: page.key }, position, page.userId));
}

export async function countOwners(db: Db, organizationId: string): Promise<number> {
  return db.$count(
    memberships,
    and(eq(memberships.organizationId, organizationId), eq(memberships.role, "owner")),
  );
}

/** The organization of a membership. Only moderators work in the moderators' own. */
export const isOwnOrganization = and(
  eq(organizations.id, memberships.organizationId),
  or(sql`not ${organizations.moderation}`, users.moderator),
);

/** The organizations in which the person works, by name. */
export async function selectOwnOrganizations(db: Db, userId: string) {
  return db
    .select({
      id: organizations.id,
      name: organizations.name,
      slug: organizations.slug,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, isOwnOrganization)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(sql`lower(${organizations.name})`), asc(organizations.id));
}

/** False if the person is no member of the organization. */
export async function updateSessionOrganization(
  db: Db,
  { sessionId, userId }: { sessionId: string; userId: string },
  organizationId: string,
): Promise<boolean> {
  const isOwn = sql`exists (
    select 1 from ${memberships} m where m.organization_id = ${organizationId} and m.user_id = ${userId})`;
  const changed = await db
    .update(sessions)
    .set({ organizationId })
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isOwn))
    .returning({ id: sessions.id });
  return changed.length === 1;
}

/** One person creates one organization at a time. */
export async function lockPerson(tx: Db, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

export async function countOwned(db: Db, userId: string): Promise<number> {
  return db.$count(memberships, and(eq(memberships.userId, userId), eq(memberships.role, "owner")));
}

/** Links that a person made as an owner end with the role, so that nobody can rejoin with a link of their own. */
export async function revokeInvitationsOf(tx: Db, organizationId: string, userId: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.invitedBy, userId), isPending));
}

/** Neither accepted nor revoked. It may have expired. */
export const isPending = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));

const works = and(isPending, gt(invitations.expiresAt, sql`now()`));

/** What a valid invitation offers. */
export async function selectOffer(db: Db, tokenHash: string) {
  const [offer] = await db
    .select({
      id: invitations.id,
      organizationId: invitations.organizationId,
      organizationName: organizations.name,
      role: invitations.role,
      email: invitations.email,
      invitedBy: users.name,
      invitedById: users.id,
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.tokenHash, tokenHash), works));
  return offer;
}

/** Uses the invitation up. False if it no longer works, or is for another address. Of two at the same time, one gets it. */
export async function claimInvitation(
  tx: Db,
  tokenHash: string,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  const isFor = or(isNull(invitations.email), eq(invitations.email, email));
  const { rowCount } = await tx
    .update(invitations)
    .set({ acceptedAt: sql`now()`, acceptedBy: userId })
    .where(and(eq(invitations.tokenHash, tokenHash), works, isFor));
  return rowCount === 1;
}

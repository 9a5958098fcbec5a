import { and, desc, eq, gt, isNull, ne, not, or, sql } from "drizzle-orm";
import { secondFactors } from "@/drizzle/schema/identity";
import { memberships, organizations, sessions, users } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";

export async function insertSession(db: Db, row: typeof sessions.$inferInsert): Promise<string> {
  const [session] = await db.insert(sessions).values(row).returning({ id: sessions.id });
  if (session === undefined) throw new Error("the session was not stored");
  return session.id;
}

const isActive = and(isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`));

/** The user of an active session, with the current role. */
export async function selectActor(db: Db, sessionId: string) {
  const [row] = await db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      moderator: users.moderator,
      signedInBy: sessions.signedInBy,
      lastSeenAt: sessions.lastSeenAt,
      organizationId: organizations.id,
      slug: organizations.slug,
      organizationName: organizations.name,
      moderation: organizations.moderation,
      role: memberships.role,
      requireSecondFactor: organizations.requireSecondFactor,
      secondFactorSince: secondFactors.confirmedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(
      memberships,
      and(eq(memberships.userId, users.id), eq(memberships.organizationId, sessions.organizationId)),
    )
    // Who is no longer a moderator no longer works in the moderators' organization.
    .leftJoin(
      organizations,
      and(
        eq(organizations.id, memberships.organizationId),
        or(not(organizations.moderation), users.moderator),
      ),
    )
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(and(eq(sessions.id, sessionId), isActive));
  return row;
}

/** Newest first. */
export async function selectSessions(db: Db, userId: string) {
  return db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      network: sessions.network,
      signedInBy: sessions.signedInBy,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isActive))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(100);
}

export async function touchSession(db: Db, sessionId: string): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, sessionId), sql`${sessions.lastSeenAt} < now() - interval '50 seconds'`));
}

export async function revokeSessionRow(db: Db, sessionId: string): Promise<void> {
  await db
    .update(sessions)
    .set(REVOKED)
    .where(and(eq(sessions.id, sessionId), isActive));
}

/** False if the user has no such active session. */
export async function revokeSessionOfUser(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await db
    .update(sessions)
    .set(REVOKED)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isActive));
  return rowCount === 1;
}

/** All sessions of the user; not `except`, if it is given. */
export async function revokeOtherSessionRows(db: Db, userId: string, except?: string): Promise<void> {
  const others = except === undefined ? undefined : ne(sessions.id, except);
  await db
    .update(sessions)
    .set(REVOKED)
    .where(and(eq(sessions.userId, userId), others, isActive));
}

const REVOKED = { revokedAt: sql`now()` };

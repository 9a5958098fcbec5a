import { and, asc, eq, gt, isNull, not, or } from "drizzle-orm";
import { memberships, organizations, sessions, users } from "@/drizzle/schema/organizations";
import type { Role } from "@/lib/contract/organization";
import type { Db } from "../database/connect";

export async function insertUser(tx: Db, row: typeof users.$inferInsert): Promise<string> {
  const [user] = await tx.insert(users).values(row).returning({ id: users.id });
  if (user === undefined) throw new Error("the user was not stored");
  return user.id;
}

export async function insertOrganization(tx: Db, row: typeof organizations.$inferInsert): Promise<string> {
  const [organization] = await tx.insert(organizations).values(row).returning({ id: organizations.id });
  if (organization === undefined) throw new Error("the organization was not stored");
  return organization.id;
}

export async function insertMembership(
  tx: Db,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx.insert(memberships).values({ organizationId, userId, role });
}

export async function selectUserByEmail(db: Db, email: string) {
  const [user] = await db.select().from(users).where(eq(users.email, email));
  return user;
}

export async function selectFirstOrganization(db: Db, userId: string): Promise<string | undefined> {
  const [membership] = await db
    .select({ organizationId: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.createdAt))
    .limit(1);
  return membership?.organizationId;
}

export async function insertSession(db: Db, row: typeof sessions.$inferInsert): Promise<string> {
  const [session] = await db.insert(sessions).values(row).returning({ id: sessions.id });
  if (session === undefined) throw new Error("the session was not stored");
  return session.id;
}

export async function revokeSessionRow(db: Db, sessionId: string): Promise<void> {
  await db
    .update(sessions)
    .set({ revokedAt: new Date() })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)));
}

/** The user of an active session, with the current role. */
export async function selectActor(db: Db, sessionId: string) {
  const [row] = await db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      moderator: users.moderator,
      organizationId: organizations.id,
      slug: organizations.slug,
      organizationName: organizations.name,
      moderation: organizations.moderation,
      role: memberships.role,
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
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt), gt(sessions.expiresAt, new Date())));
  return row;
}

export async function countOrganizations(db: Db): Promise<number> {
  return db.$count(organizations);
}

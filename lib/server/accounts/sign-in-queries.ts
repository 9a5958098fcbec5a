import { and, asc, eq, gt, isNotNull, isNull, lt, ne, not, or, sql } from "drizzle-orm";
import {
  linkedIdentities,
  memberships,
  organizations,
  recoveryCodes,
  secondFactors,
  sessions,
  users,
} from "@/drizzle/schema/accounts";
import type { Db } from "../platform/database/connect";
import { isBeyondId, type Position, sortBy } from "../platform/database/paging";
import { deletePage, inPages, type Page, type Range } from "../platform/retention-queries";

export async function insertSession(db: Db, row: typeof sessions.$inferInsert): Promise<string> {
  const [session] = await db.insert(sessions).values(row).returning({ id: sessions.id });
  if (session === undefined) throw new Error("the session was not stored");
  return session.id;
}

const isActive = and(isNull(sessions.revokedAt), gt(sessions.expiresAt, sql`now()`));

/** The user of an active session, with the current role. */
/** @param organizationId another of the user's organizations than the one that the session works in */
export async function selectActor(db: Db, sessionId: string, organizationId?: string) {
  const [row] = await db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      moderator: users.moderator,
      zone: users.zone,
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
      and(
        eq(memberships.userId, users.id),
        eq(memberships.organizationId, organizationId ?? sessions.organizationId),
      ),
    )
    // A person who is no longer a moderator no longer works in the moderators' organization.
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

interface SessionPage {
  /** Only this one. */
  only?: string;
  /** Not this one. */
  except?: string;
  position?: Position<string>;
  limit: number;
}

/** The one that signed in last comes first: unlike when a session was last seen, that never changes between two pages. */
export async function selectSessions(db: Db, userId: string, { only, except, position, limit }: SessionPage) {
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
    .where(
      and(
        eq(sessions.userId, userId),
        isActive,
        only === undefined ? undefined : eq(sessions.id, only),
        except === undefined ? undefined : ne(sessions.id, except),
        isBeyondId(position, sessions.id, "descending"),
      ),
    )
    .orderBy(...sortBy("descending", position, sessions.id))
    .limit(limit);
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

type SecondFactorRow = typeof secondFactors.$inferSelect;

export async function selectSecondFactor(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId));
  return row;
}

/** Replaces one that was never confirmed. False if a confirmed one exists. */
export async function upsertUnconfirmed(
  tx: Db,
  row: Pick<SecondFactorRow, "userId" | "wrapped" | "masterKeyId">,
): Promise<boolean> {
  const { rowCount } = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { wrapped: row.wrapped, masterKeyId: row.masterKeyId, lastStep: 0, createdAt: sql`now()` },
      setWhere: isNull(secondFactors.confirmedAt),
    });
  return rowCount === 1;
}

/** False if a code of this time step or a later one was accepted before: each code works once. */
export async function advanceStep(
  tx: Db,
  userId: string,
  step: number,
  confirmed: "confirm" | "confirmed",
): Promise<boolean> {
  const isConfirmed = confirmed === "confirm" ? isNull : isNotNull;
  const { rowCount } = await tx
    .update(secondFactors)
    .set({ lastStep: step, ...(confirmed === "confirm" ? { confirmedAt: sql`now()` } : {}) })
    .where(
      and(
        eq(secondFactors.userId, userId),
        lt(secondFactors.lastStep, step),
        isConfirmed(secondFactors.confirmedAt),
      ),
    );
  return rowCount === 1;
}

export async function deleteSecondFactor(tx: Db, userId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const { rowCount } = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
  return rowCount === 1;
}

export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })));
}

/** False if the user has no such code, or used it. */
export async function deleteRecoveryCode(tx: Db, userId: string, hash: string): Promise<boolean> {
  const { rowCount } = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash)));
  return rowCount === 1;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}

export async function selectLinkedUser(db: Db, issuer: string, subject: string): Promise<string | undefined> {
  const [row] = await db
    .select({ userId: linkedIdentities.userId })
    .from(linkedIdentities)
    .where(and(eq(linkedIdentities.issuer, issuer), eq(linkedIdentities.subject, subject)));
  return row?.userId;
}

/** False if the identity is linked already. */
export async function insertIdentity(tx: Db, row: typeof linkedIdentities.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(linkedIdentities).values(row).onConflictDoNothing();
  return rowCount === 1;
}

export async function selectIdentities(db: Db, userId: string) {
  return db
    .select({
      issuer: linkedIdentities.issuer,
      email: linkedIdentities.email,
      createdAt: linkedIdentities.createdAt,
    })
    .from(linkedIdentities)
    .where(eq(linkedIdentities.userId, userId))
    .orderBy(asc(linkedIdentities.createdAt));
}

/** False if nothing was linked. */
export async function deleteIdentities(tx: Db, userId: string): Promise<boolean> {
  const { rowCount } = await tx.delete(linkedIdentities).where(eq(linkedIdentities.userId, userId));
  return (rowCount ?? 0) > 0;
}

/**
 * Deletes sessions that ended before `cutoff`. The last one of a person in an organization stays: it says when the
 * person was last seen there.
 */
function deleteSessions(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  const isOver = sql`least(t.revoked_at, t.expires_at) < ${cutoff.toISOString()} and exists (
    select 1 from sessions later
     where later.user_id = t.user_id and later.organization_id is not distinct from t.organization_id
       and (later.last_seen_at, later.id) > (t.last_seen_at, t.id))`;
  return deletePage(tx, range, sql`sessions`, isOver);
}

export const SESSION_RETENTION = inPages("sessions", "PLATFORM_KEEP_SESSIONS_DAYS", deleteSessions);

import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import {
  accountLinks,
  type LINK_KINDS,
  memberships,
  organizations,
  pendingSignUps,
  users,
} from "@/drizzle/schema/accounts";
import type { Role } from "@/lib/contract/platform/role";
import type { Db } from "../platform/database/connect";

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

export async function countModerators(db: Db): Promise<number> {
  return db.$count(users, eq(users.moderator, true));
}

export async function isSlugTaken(db: Db, slug: string): Promise<boolean> {
  return (await db.$count(organizations, eq(organizations.slug, slug))) > 0;
}

export async function selectUser(db: Db, userId: string) {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  return user;
}

/** In one order for everyone, so that transactions that lock them one by one cannot deadlock. */
export async function selectOrganizationIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.organizationId));
  return rows.map(({ id }) => id);
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

export async function countOrganizations(db: Db): Promise<number> {
  return db.$count(organizations);
}

export async function updatePassword(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
}

/** The same password, hashed in another form. Does nothing if the password was changed in the meantime. */
export async function replacePasswordHash(db: Db, userId: string, from: string, to: string): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, userId), eq(users.passwordHash, from)));
}

export async function updateZone(tx: Db, userId: string, zone: string | null): Promise<void> {
  await tx.update(users).set({ zone }).where(eq(users.id, userId));
}

export async function updateName(tx: Db, userId: string, name: string): Promise<void> {
  await tx.update(users).set({ name }).where(eq(users.id, userId));
}

/** Fails with a unique violation if another account has the address. */
export async function updateEmail(
  tx: Db,
  userId: string,
  email: string,
  emailConfirmedAt: Date | null,
): Promise<void> {
  await tx.update(users).set({ email, emailConfirmedAt }).where(eq(users.id, userId));
}

export async function updateRequirement(
  tx: Db,
  organizationId: string,
  requireSecondFactor: boolean,
): Promise<void> {
  await tx.update(organizations).set({ requireSecondFactor }).where(eq(organizations.id, organizationId));
}

export async function selectRequirement(db: Db, organizationId: string): Promise<boolean> {
  const [row] = await db
    .select({ required: organizations.requireSecondFactor })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return row?.required ?? false;
}

export type LinkKind = (typeof LINK_KINDS)[number];

/** Also removes the links that have expired. */
export async function insertLink(tx: Db, row: typeof accountLinks.$inferInsert): Promise<void> {
  await tx.delete(accountLinks).where(lte(accountLinks.expiresAt, sql`now()`));
  await tx.insert(accountLinks).values(row);
}

const linkFields = { userId: accountLinks.userId, content: accountLinks.content };

const works = (kind: LinkKind, hash: string) =>
  and(eq(accountLinks.hash, hash), eq(accountLinks.kind, kind), gt(accountLinks.expiresAt, sql`now()`));

/** Undefined if no such link works. */
export async function selectLink(db: Db, kind: LinkKind, hash: string) {
  const [link] = await db.select(linkFields).from(accountLinks).where(works(kind, hash));
  return link;
}

/** Undefined if no such link works. Of two transactions at the same time, one gets it. */
export async function deleteLink(tx: Db, kind: LinkKind, hash: string) {
  const [link] = await tx.delete(accountLinks).where(works(kind, hash)).returning(linkFields);
  return link;
}

export async function deleteLinksOfUser(tx: Db, userId: string): Promise<void> {
  await tx.delete(accountLinks).where(eq(accountLinks.userId, userId));
}

/** Also removes those that have expired. */
export async function insertPendingSignUp(tx: Db, row: typeof pendingSignUps.$inferInsert): Promise<void> {
  await tx.delete(pendingSignUps).where(lte(pendingSignUps.expiresAt, sql`now()`));
  await tx.insert(pendingSignUps).values(row);
}

/** Those of this requester first, then the newest. */
export async function selectPendingSignUps(db: Db, email: string, requester: string, limit: number) {
  const rows = await db
    .select({ content: pendingSignUps.content })
    .from(pendingSignUps)
    .where(and(eq(pendingSignUps.email, email), gt(pendingSignUps.expiresAt, sql`now()`)))
    .orderBy(desc(eq(pendingSignUps.requester, requester)), desc(pendingSignUps.id))
    .limit(limit);
  return rows.map(({ content }) => content);
}

/** The address has an account now. */
export async function deleteSignUpsOf(tx: Db, email: string): Promise<void> {
  await tx.delete(pendingSignUps).where(eq(pendingSignUps.email, email));
  await tx
    .delete(accountLinks)
    .where(and(eq(accountLinks.kind, "SIGN_UP"), eq(sql`${accountLinks.content} ->> 'email'`, email)));
}

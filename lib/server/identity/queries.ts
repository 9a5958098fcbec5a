import { asc, eq } from "drizzle-orm";
import { memberships, organizations, users } from "@/drizzle/schema/organizations";
import type { Role } from "@/lib/contract/role";
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

import { eq } from "drizzle-orm";
import { organizations, users } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";

export async function updatePassword(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
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

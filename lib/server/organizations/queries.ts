import { and, eq, ne } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/organizations";
import type { OrganizationSettings } from "@/lib/contract/organization";
import type { Db } from "../database/connect";

export async function selectSettings(
  db: Db,
  organizationId: string,
): Promise<OrganizationSettings | undefined> {
  const [found] = await db
    .select({ recordBodies: organizations.recordBodies })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return found;
}

/** False if it has these settings already. */
export async function updateSettings(
  tx: Db,
  organizationId: string,
  { recordBodies }: OrganizationSettings,
): Promise<boolean> {
  const changed = await tx
    .update(organizations)
    .set({ recordBodies })
    .where(and(eq(organizations.id, organizationId), ne(organizations.recordBodies, recordBodies)))
    .returning({ id: organizations.id });
  return changed.length === 1;
}

import { and, eq, ne, or } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/organizations";
import type { OrganizationProfile } from "@/lib/contract/membership";
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

export async function selectProfile(
  db: Db,
  organizationId: string,
): Promise<OrganizationProfile | undefined> {
  const { name, description, website, supportAddress } = organizations;
  const [found] = await db
    .select({ name, description, website, supportAddress })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return found;
}

/** False if it has this profile already. */
export async function updateProfile(
  tx: Db,
  organizationId: string,
  profile: OrganizationProfile,
): Promise<boolean> {
  const differs = or(
    ne(organizations.name, profile.name),
    ne(organizations.description, profile.description),
    ne(organizations.website, profile.website),
    ne(organizations.supportAddress, profile.supportAddress),
  );
  const changed = await tx
    .update(organizations)
    .set(profile)
    .where(and(eq(organizations.id, organizationId), differs))
    .returning({ id: organizations.id });
  return changed.length === 1;
}

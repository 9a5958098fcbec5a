import { and, asc, eq, inArray, ne, or } from "drizzle-orm";
import { memberships, organizations, users } from "@/drizzle/schema/accounts";
import { attempts } from "@/drizzle/schema/calls";
import { listings } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { OrganizationProfile, OrganizationSettings } from "@/lib/contract/accounts/account";
import type { Role } from "@/lib/contract/platform/role";
import type { Db } from "../platform/database/connect";
import { isOwnOrganization } from "./member-queries";

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

export type OwnedObject =
  | { kind: "installation" | "tenant" | "attempt"; id: string }
  /** Several organizations can have an app of this name. */
  | { kind: "app"; name: string };

/** An organization that owns the object, and in which the person has one of the roles. */
export async function selectOwnerAmong(
  db: Db,
  { userId, except, roles }: { userId: string; except?: string; roles: readonly Role[] },
  object: OwnedObject,
): Promise<string | undefined> {
  const [found] = await db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, isOwnOrganization)
    .where(
      and(
        eq(memberships.userId, userId),
        inArray(memberships.role, roles),
        except === undefined ? undefined : ne(memberships.organizationId, except),
        inArray(memberships.organizationId, ownersOf(db, object)),
      ),
    )
    .orderBy(asc(memberships.createdAt))
    .limit(1);
  return found?.id;
}

function ownersOf(db: Db, object: OwnedObject) {
  switch (object.kind) {
    case "app":
      return db
        .select({ id: listings.organizationId })
        .from(listings)
        .where(eq(listings.appName, object.name));
    case "installation":
      return db
        .select({ id: installations.organizationId })
        .from(installations)
        .where(eq(installations.id, object.id));
    case "tenant":
      return db.select({ id: tenants.organizationId }).from(tenants).where(eq(tenants.id, object.id));
    case "attempt":
      return db.select({ id: attempts.organizationId }).from(attempts).where(eq(attempts.id, object.id));
  }
}

import { and, asc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { attempts } from "@/drizzle/schema/deliveries";
import { installations } from "@/drizzle/schema/installations";
import { listings } from "@/drizzle/schema/listings";
import { memberships, organizations, users } from "@/drizzle/schema/organizations";
import { tenants } from "@/drizzle/schema/tenants";
import type { Role } from "@/lib/contract/role";
import type { Db } from "../database/connect";

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
    .innerJoin(
      organizations,
      and(
        eq(organizations.id, memberships.organizationId),
        or(sql`not ${organizations.moderation}`, users.moderator),
      ),
    )
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

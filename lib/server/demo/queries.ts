import { and, desc, eq } from "drizzle-orm";
import { installations } from "@/drizzle/schema/installations";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { organizations } from "@/drizzle/schema/organizations";
import { tenants } from "@/drizzle/schema/tenants";
import type { Db } from "../database/connect";

/** A listing with its newest version and the review that waits for it, as far as there are any. */
export async function selectListing(db: Db, organizationId: string, appName: string) {
  const [row] = await db
    .select({ id: listings.id, state: listings.state, versionId: versions.id, reviewId: reviews.id })
    .from(listings)
    .leftJoin(versions, eq(versions.listingId, listings.id))
    .leftJoin(reviews, and(eq(reviews.versionId, versions.id), eq(reviews.state, "PENDING")))
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)))
    .orderBy(desc(versions.createdAt))
    .limit(1);
  return row;
}

export async function selectTenant(db: Db, organizationId: string, hostName: string) {
  const [tenant] = await db
    .select({ id: tenants.id, organizationId: tenants.organizationId, coreApiUrl: tenants.coreApiUrl })
    .from(tenants)
    .where(and(eq(tenants.organizationId, organizationId), eq(tenants.hostName, hostName)));
  return tenant;
}

export async function selectOrganizationBySlug(db: Db, slug: string): Promise<string | undefined> {
  const [organization] = await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.slug, slug));
  return organization?.id;
}

export async function hasInstallation(db: Db, tenantId: string, listingId: string): Promise<boolean> {
  return (
    (await db.$count(
      installations,
      and(eq(installations.tenantId, tenantId), eq(installations.listingId, listingId)),
    )) > 0
  );
}

export async function countLaunching(db: Db): Promise<number> {
  return db.$count(installations, eq(installations.state, "LAUNCHING"));
}

/** True when the address was another one before. */
export async function moveTenant(tx: Db, tenantId: string, from: string, to: string): Promise<boolean> {
  const moved = await tx
    .update(tenants)
    .set({ coreApiUrl: to })
    .where(and(eq(tenants.id, tenantId), eq(tenants.coreApiUrl, from)))
    .returning({ id: tenants.id });
  return moved.length === 1;
}

import { and, desc, eq } from "drizzle-orm";
import { installations } from "@/drizzle/schema/installations";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { organizations } from "@/drizzle/schema/organizations";
import { tenants } from "@/drizzle/schema/tenants";
import type { Db } from "../database/connect";

/** A listing with its newest version and that version's pending review, if any. */
export async function selectListing(db: Db, organizationId: string, appName: string) {
  const [row] = await db
    .select({
      id: listings.id,
      versionId: versions.id,
      verifiedAt: versions.verifiedAt,
      reviewId: reviews.id,
    })
    .from(listings)
    .leftJoin(versions, eq(versions.listingId, listings.id))
    .leftJoin(reviews, and(eq(reviews.versionId, versions.id), eq(reviews.state, "PENDING")))
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)))
    .orderBy(desc(versions.createdAt))
    .limit(1);
  return row;
}

export async function selectDemoTenant(db: Db, organizationSlug: string, hostName: string) {
  const [tenant] = await db
    .select({
      id: tenants.id,
      organizationId: tenants.organizationId,
      hostName: tenants.hostName,
      coreApiUrl: tenants.coreApiUrl,
    })
    .from(tenants)
    .innerJoin(organizations, eq(organizations.id, tenants.organizationId))
    .where(and(eq(organizations.slug, organizationSlug), eq(tenants.hostName, hostName)))
    .orderBy(desc(tenants.id))
    .limit(1);
  return tenant;
}

export async function hasInstallation(db: Db, tenantId: string, listingId: string): Promise<boolean> {
  const ofListing = and(eq(installations.tenantId, tenantId), eq(installations.listingId, listingId));
  return (await db.$count(installations, ofListing)) > 0;
}

export async function countLaunching(db: Db): Promise<number> {
  return db.$count(installations, eq(installations.state, "LAUNCHING"));
}

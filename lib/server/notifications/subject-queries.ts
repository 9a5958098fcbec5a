import { and, eq, sql } from "drizzle-orm";
import { evidence } from "@/drizzle/schema/evidence";
import { installations } from "@/drizzle/schema/installations";
import { listings, reviews, versions } from "@/drizzle/schema/listings";
import { tenants } from "@/drizzle/schema/tenants";
import type { Db } from "../database/connect";

const listing = { organizationId: listings.organizationId, title: listings.title, appName: listings.appName };

export async function selectListingNames(db: Db, listingId: string) {
  const [row] = await db.select(listing).from(listings).where(eq(listings.id, listingId));
  return row;
}

/** `hasCustomers`: it runs for somebody, not only in Test Launches. */
export async function selectVersionNames(db: Db, versionId: string) {
  const [row] = await db
    .select({
      ...listing,
      number: versions.number,
      hasCustomers: sql<boolean>`exists (
        select from installations i where i.version_id = ${versionId} and not i.test
           and i.state in ('LAUNCHING', 'RUNNING', 'ERROR'))`,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.id, versionId));
  return row;
}

/** `name`: the app and its tenant. */
export async function selectInstallationNames(db: Db, installationId: string) {
  const [row] = await db
    .select({
      organizationId: installations.organizationId,
      test: installations.test,
      createdBy: installations.createdBy,
      name: sql<string>`${listings.title} || ' for ' || ${tenants.name}`,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(eq(installations.id, installationId));
  return row;
}

/** What the automatic checks of a review found; undefined if it has ended. */
export async function selectChecks(db: Db, reviewId: string) {
  const [row] = await db
    .select({
      ...listing,
      number: versions.number,
      claimedBy: reviews.claimedBy,
      claimedAt: reviews.claimedAt,
      reason: evidence.reason,
      checks: evidence.checks,
    })
    .from(evidence)
    .innerJoin(reviews, and(eq(reviews.id, evidence.reviewId), eq(reviews.state, "PENDING")))
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(eq(evidence.reviewId, reviewId));
  return row;
}

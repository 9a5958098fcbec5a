/** Listings that nobody but their organization ever saw. */
import { eq, inArray, sql } from "drizzle-orm";
import { listingDrafts, listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurationChecks } from "@/drizzle/schema/installations-configurations";
import type { Db } from "../platform/database/connect";

/**
 * Names the tables itself: of a query with a single table, Drizzle would leave the names out, and compare columns of the inner one.
 * `isUntouched`: it is a draft that was never submitted and never launched. The numbers of its versions, the newest first.
 */
export async function selectDraftContents(db: Db, listingId: string) {
  const [found] = await db
    .select({
      isUntouched: sql<boolean>`(${listings}.state = 'DRAFT' and ${listings}.public_since is null
        and not exists (select from ${reviews} r where r.listing_id = ${listings}.id)
        and not exists (select from ${installations} i where i.listing_id = ${listings}.id))`,
      versions: sql<string[]>`array(
        select v.number from ${versions} v where v.listing_id = ${listings}.id order by v.id desc)`,
      hasManifestDraft: sql<boolean>`exists (
        select from ${manifestDrafts} d where d.listing_id = ${listings}.id)`,
    })
    .from(listings)
    .where(eq(listings.id, listingId));
  return found ?? { isUntouched: false, versions: [], hasManifestDraft: false };
}

/** The images of its versions are removed with those that no version names. */
export async function deleteListing(tx: Db, listingId: string): Promise<void> {
  const own = tx.select({ id: versions.id }).from(versions).where(eq(versions.listingId, listingId));
  await tx.delete(configurationChecks).where(inArray(configurationChecks.versionId, own));
  await tx.delete(manifestDrafts).where(eq(manifestDrafts.listingId, listingId));
  await tx.delete(listingDrafts).where(eq(listingDrafts.listingId, listingId));
  await tx.delete(versions).where(eq(versions.listingId, listingId));
  await tx.delete(listings).where(eq(listings.id, listingId));
}

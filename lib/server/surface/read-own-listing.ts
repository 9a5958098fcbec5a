import { Problem } from "@/lib/contract/platform/problem";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import type { Member } from "@/lib/domain/platform/actor";
import {
  countInstallations,
  selectOwnListing,
  selectReviews,
  selectVersions,
} from "../catalog/listing-queries";
import { readFailures } from "../insight/health/read-health";
import type { Platform } from "../platform/platform";

/** NOT_FOUND for listings of other organizations. */
export async function requireOwnListing(platform: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(platform.db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return listing;
}

/** A listing as its publisher sees it. NOT_FOUND for other organizations. */
export async function readOwnListing(platform: Platform, member: Member, appName: string) {
  const listing = await requireOwnListing(platform, member, appName);
  const [versions, reviews, installations] = await Promise.all([
    selectVersions(platform.db, listing.id),
    selectReviews(platform.db, listing.id),
    countInstallations(platform.db, listing.id),
  ]);
  const failures = mayReadLogs(member, listing.organizationId)
    ? await readFailures(
        platform.db,
        versions.map(({ id }) => id),
      )
    : [];
  return { listing, versions, reviews, installations, failures };
}

/** The title of an organization's own listing. NOT_FOUND for others. */
export async function readOwnTitle({ db }: Platform, member: Member, appName: string): Promise<string> {
  const listing = await selectOwnListing(db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return listing.title;
}

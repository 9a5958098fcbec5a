import { Problem } from "@/lib/contract/platform/problem";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import type { Member } from "@/lib/domain/platform/actor";
import { isId } from "@/lib/contract/platform/text";
import {
  countInstallations,
  selectNewestReview,
  selectOwnListing,
  selectVersionFacts,
  selectVersionPage,
} from "../catalog/listing-queries";
import { readFailures } from "../insight/health/read-health";
import { selectTestLaunches } from "../installations/queries";
import type { Platform } from "../platform/platform";

/** NOT_FOUND for listings of other organizations. */
export async function requireOwnListing(platform: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(platform.db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return listing;
}

const VERSIONS = 8;
const FAILURES = 10;

/**
 * A listing as its publisher sees it, with a page of its versions. NOT_FOUND for other organizations.
 * @param before `next` of the previous page, from the URL: an invalid one means the first page
 */
export async function readOwnListing(platform: Platform, member: Member, appName: string, before?: string) {
  const { db } = platform;
  const listing = await requireOwnListing(platform, member, appName);
  const page = { before: before !== undefined && isId(before) ? before : undefined, limit: VERSIONS + 1 };
  const [found, facts, review, installations, testLaunches, failures] = await Promise.all([
    selectVersionPage(db, listing.id, page),
    selectVersionFacts(db, listing.id),
    selectNewestReview(db, listing.id, "VERSION"),
    countInstallations(db, listing.id),
    selectTestLaunches(db, member.organization.id, listing.id),
    mayReadLogs(member, listing.organizationId) ? readFailures(db, listing.id, FAILURES + 1) : [],
  ]);
  const versions = found.slice(0, VERSIONS);
  return {
    listing,
    versions,
    next: found.length > VERSIONS ? versions.at(-1)?.id : undefined,
    ...facts,
    review,
    installations,
    testLaunches,
    failures: failures.slice(0, FAILURES),
    hasMoreFailures: failures.length > FAILURES,
  };
}

/** The title of an organization's own listing. NOT_FOUND for others. */
export async function readOwnTitle({ db }: Platform, member: Member, appName: string): Promise<string> {
  const listing = await selectOwnListing(db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return listing.title;
}

import { Problem } from "@/lib/contract/problem";
import { isMember, type Actor } from "@/lib/domain/actor";
import { selectManifest } from "../listings/queries";
import type { Platform } from "../platform/platform";
import { selectPublisher, selectShownVersions, selectVisibleListing } from "./queries";

const VERSIONS = 20;

/**
 * A listing as its page shows it to a visitor or an actor. Only their organization and moderators see drafts and
 * suspended listings: NOT_FOUND for everyone else, as for an unknown name.
 */
export async function readMarketplaceListing(
  { db }: Platform,
  actor: Actor | undefined,
  organizationSlug: string,
  appName: string,
) {
  const trusted = actor?.lacksSecondFactor === true ? undefined : actor;
  const organizationId = trusted !== undefined && isMember(trusted) ? trusted.organization.id : undefined;
  const moderator = trusted?.moderator === true;
  const listing = await selectVisibleListing(db, organizationSlug, appName, { organizationId, moderator });
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const own = listing.organizationId === organizationId;
  const versions = await selectShownVersions(db, listing.id, { all: own, limit: VERSIONS });
  const verified = versions.find(({ verifiedAt }) => verifiedAt !== null);
  const newest = versions[0];
  const manifest = newest && (await selectManifest(db, newest.id));
  return { listing, own, newest, manifest, verified, versions };
}

/** NOT_FOUND for organizations without a public listing, so that nobody learns who else there is. */
export async function readPublisher({ db }: Platform, slug: string) {
  const publisher = await selectPublisher(db, slug);
  if (publisher === undefined) throw new Problem("NOT_FOUND");
  return publisher;
}

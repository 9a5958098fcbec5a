import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { selectOwnListing, type ListingRow } from "../listings/queries";
import type { Platform } from "../platform/platform";

export interface OwnApp {
  /** `<org-name>/<app-name>`. */
  name: string;
  listing: ListingRow;
}

/** An app of the agent's organization, in any state. Throws NOT_FOUND, also for apps of other organizations. */
export async function findApp(
  { db }: Platform,
  { organization }: Agent,
  [owner = "", app = ""]: readonly string[],
): Promise<OwnApp> {
  if (owner !== organization.slug)
    throw new Problem(
      "NOT_FOUND",
      `These credentials are for the organization "${organization.slug}", which has no access to apps of other organizations. Check the app's name, or log in for the other organization.`,
    );
  const listing = await selectOwnListing(db, organization.id, app);
  if (listing === undefined)
    throw new Problem(
      "NOT_FOUND",
      `"${organization.slug}" has no app with the name "${app.slice(0, 40)}". Check the name, or create the app on the Publish page first.`,
    );
  return { name: `${organization.slug}/${listing.appName}`, listing };
}

import type { ListingInput } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import { type Agent, nameActor } from "@/lib/domain/platform/actor";
import { sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { insertListing, type ListingRow, selectOwnListing } from "./listing-queries";
import { requireOpen } from "./store-version";

/** Creates a draft listing. Throws NAME_TAKEN if the organization has an app with this name. */
export async function createListing(platform: Platform, agent: Agent, input: ListingInput) {
  const { id: organizationId, slug } = agent.organization;
  const name = `${slug}/${input.appName}`;
  return platform.db.transaction(async (tx) => {
    const listingId = await insertListing(tx, organizationId, input).catch((error: unknown) => {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      const message = `Your organization already has an app named "${name}". Choose another name.`;
      throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: "/appName", message }]);
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: nameActor(agent),
      action: "listing.create",
      subject: `listing:${listingId}`,
      details: { name },
    });
    return { listingId, appName: input.appName };
  });
}

/**
 * Creates a draft listing unless the organization has an app with this name, whose listing is then returned as it is: a repeated
 * request, also one at the same moment, finds what the first has created. Throws WRONG_STATE if that one is retired.
 */
export async function ensureListing(
  platform: Platform,
  agent: Agent,
  input: ListingInput,
): Promise<{ listing: ListingRow; isNew: boolean }> {
  const isNew = await createListing(platform, agent, input).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && error.code === "NAME_TAKEN") return false;
      throw error;
    },
  );
  const listing = await selectOwnListing(platform.db, agent.organization.id, input.appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  requireOpen(listing.state);
  return { listing, isNew };
}

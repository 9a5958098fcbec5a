import type { ListingInput } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import type { Platform } from "../platform/platform";
import { insertListing } from "./queries";

/** Creates a draft listing. Throws NAME_TAKEN if the organization has an app with this name. */
export async function createListing(platform: Platform, member: Member, input: ListingInput) {
  const { id: organizationId, slug } = member.organization;
  const name = `${slug}/${input.appName}`;
  return platform.db.transaction(async (tx) => {
    const listingId = await insertListing(tx, organizationId, input).catch((error: unknown) => {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      const message = `Your organization already has an app named "${name}". Choose another name.`;
      throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: "/appName", message }]);
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "listing.create",
      subject: `listing:${listingId}`,
      details: { name },
    });
    return { listingId, appName: input.appName };
  });
}

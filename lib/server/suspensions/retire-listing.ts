import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { stateAfterRetirement } from "@/lib/domain/listing";
import { recordAudit } from "../audit/record-audit";
import { moveListing } from "../listings/queries";
import { selectOwnText } from "../listings/text-queries";
import type { Platform } from "../platform/platform";
import { endReview, tellOfWithdrawal } from "../reviews/end-review";
import { withdrawPendingReviews } from "../reviews/queries";
import { tellOfListing } from "./tell-of-listing";

/**
 * Removes a listing from the marketplace permanently. Installations keep running, nobody can launch it again, and its reviews
 * are withdrawn. Throws NOT_FOUND for other organizations, WRONG_STATE if it is retired already.
 */
export async function retireListing(platform: Platform, member: Member, listingId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    const next = stateAfterRetirement(listing.state);
    if (next === undefined || !(await moveListing(tx, listingId, listing.state, next)))
      throw new Problem("WRONG_STATE", "This listing is already retired. Reload the page.");
    const withdrawn = await withdrawPendingReviews(tx, listingId);
    for (const { id, version } of withdrawn) {
      await endReview(platform, tx, { id, listingId, version });
      await tellOfWithdrawal(
        tx,
        member,
        { id, title: listing.text.title, version },
        "The listing was retired.",
      );
    }
    await tellOfListing(
      tx,
      { id: listingId, organizationId, appName: listing.appName },
      (organization) => ({
        title: `${listing.text.title} was retired`,
        body:
          organization === organizationId
            ? "Nobody can launch it anymore. Installations keep running."
            : "Your installations keep running. The app gets no new versions, and nobody can launch it again.",
      }),
      member.userId,
    );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "listing.retire",
      subject: `listing:${listingId}`,
      details: { from: listing.state, withdrawn: withdrawn.map(({ id }) => id) },
    });
  });
}

import type { InvitationOffer } from "@/lib/contract/invitation";
import type { Actor } from "@/lib/domain/actor";
import type { Client } from "../identity/client";
import { countTry } from "../identity/count-tries";
import { deadInvitation, hashInvitation, joinOrganization } from "../members/join-organization";
import { selectOffer, updateSessionOrganization } from "../members/queries";
import type { Platform } from "../platform/platform";

/** Who invites, and to which organization. Throws NOT_FOUND for an invalid invitation, TOO_MANY_REQUESTS for guesses. */
export async function readInvitation(
  platform: Platform,
  token: string,
  { network }: Pick<Client, "network">,
): Promise<InvitationOffer> {
  const tries = await countTry(platform, [["link-network", network]]);
  const offer = await selectOffer(platform.db, hashInvitation(token));
  if (offer === undefined) throw deadInvitation();
  await tries.giveBack();
  const { organizationName, role, email, invitedBy, expiresAt } = offer;
  return { organizationName, role, email, invitedBy, expiresAt: expiresAt.toISOString() };
}

/** The session works in the organization from then on. Throws what `joinOrganization` does, and TOO_MANY_REQUESTS. */
export async function acceptInvitation(
  platform: Platform,
  actor: Actor,
  token: string,
  { network }: Pick<Client, "network">,
): Promise<void> {
  const tries = await countTry(platform, [["link-network", network]]);
  await platform.db.transaction(async (tx) => {
    const organizationId = await joinOrganization(tx, platform.keyring, hashInvitation(token), actor);
    await updateSessionOrganization(tx, actor, organizationId);
  });
  await tries.giveBack();
}

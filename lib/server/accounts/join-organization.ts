import { createHash } from "node:crypto";
import type { InvitationOffer } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { asRole } from "@/lib/domain/accounts/organization";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import type { Keyring } from "../platform/keyring";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { countTry } from "./count-tries";
import {
  claimInvitation,
  insertMember,
  lockMembers,
  selectOffer,
  updateSessionOrganization,
} from "./member-queries";
import type { Client } from "./sessions";

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

interface Person {
  userId: string;
  name: string;
  email: string;
}

/**
 * Makes the person a member, and uses the invitation up. Throws NOT_FOUND for an invalid invitation, NOT_ALLOWED if it
 * is for another address, WRONG_STATE if the person is already a member: then it still works.
 * @returns the organization's id
 */
export async function joinOrganization(
  tx: Db,
  keyring: Keyring,
  tokenHash: string,
  { userId, name, email }: Person,
): Promise<string> {
  const offer = await selectOffer(tx, tokenHash);
  if (offer === undefined) throw deadInvitation();
  const { organizationId, organizationName, role } = offer;
  if (offer.email !== null && offer.email !== email) throw otherAddress(offer.email);
  await lockMembers(tx, organizationId);
  if (!(await claimInvitation(tx, tokenHash, { userId, email }))) throw deadInvitation();
  if (!(await insertMember(tx, organizationId, userId, role)))
    throw new Problem("WRONG_STATE", `You are already a member of ${organizationName}.`);
  await notify(tx, {
    kind: "invitation",
    to: { userId: offer.invitedById, organizationId },
    title: `${name} joined ${organizationName} as ${asRole(role)}`,
    href: "/organization/members",
    subject: `invitation:${offer.id}`,
  });
  await recordAudit(tx, keyring, {
    chain: organizationId,
    actor: `user:${userId}`,
    action: "invitation.accept",
    subject: `invitation:${offer.id}`,
    details: { role },
  });
  return organizationId;
}

/** Unknown, used, expired and revoked invitations look the same. */
export function deadInvitation(): Problem {
  return new Problem(
    "NOT_FOUND",
    "This invitation is no longer valid. It was already used or revoked, or it is more than 7 days old. Ask for a new one.",
  );
}

export function otherAddress(email: string): Problem {
  return new Problem(
    "NOT_ALLOWED",
    `This invitation is for ${email}. Sign in with that address, or ask for an invitation without one.`,
  );
}

/** Hex. Tokens are 256 random bits, so a fast hash is as good as a slow one. */
export function hashInvitation(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

import { createHash } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import { asRole } from "@/lib/domain/role";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { notify } from "../notifications/notify";
import type { Keyring } from "../platform/keyring";
import { claimInvitation, insertMember, lockMembers, selectOffer } from "./queries";

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

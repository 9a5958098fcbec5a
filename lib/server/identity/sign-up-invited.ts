import type { MailOutcome } from "@/lib/contract/account";
import type { InvitedPersonInput } from "@/lib/contract/invitation";
import { deadInvitation, hashInvitation, otherAddress } from "../members/join-organization";
import { selectOffer } from "../members/queries";
import type { Platform } from "../platform/platform";
import { sendsMail } from "./account-mails";
import { checkStrength } from "./check-strength";
import type { Client } from "./client";
import { countTry } from "./count-tries";
import { hashPassword } from "./hash-password";
import { mailSignUp } from "./request-sign-up";
import { insertInvited } from "./sign-up";

/**
 * A person without an account accepts an invitation. As in every sign-up, the response doesn't reveal whether the
 * address has an account if the platform sends email. Throws what `joinOrganization` does, NAME_TAKEN, BAD_INPUT or
 * TOO_MANY_REQUESTS.
 */
export async function signUpInvited(
  platform: Platform,
  token: string,
  { password, ...person }: InvitedPersonInput,
  client: Pick<Client, "network">,
): Promise<MailOutcome> {
  const { network } = client;
  const tries = await countTry(platform, [["link-network", network]]);
  const invitationHash = hashInvitation(token);
  const offer = await selectOffer(platform.db, invitationHash);
  if (offer === undefined) throw deadInvitation();
  await tries.giveBack();
  if (offer.email !== null && offer.email !== person.email) throw otherAddress(offer.email);
  checkStrength(password, [person.name, person.email]);
  await countTry(platform, [["sign-up-network", network]]);
  const passwordHash = await hashPassword(password, network);
  const pending = { ...person, passwordHash, invitationHash };
  if (!sendsMail(platform)) {
    await platform.db.transaction((tx) => insertInvited(tx, platform, pending));
    return { outcome: "DONE" };
  }
  await mailSignUp(platform, pending, offer.organizationName, client);
  return { outcome: "MAILED" };
}

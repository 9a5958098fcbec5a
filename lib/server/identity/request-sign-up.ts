import * as z from "zod";
import type { MailOutcome } from "@/lib/contract/account";
import { type SignUpInput, signUpInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import { createLink, takeLink } from "./account-links";
import { confirmSignUpMail, knownAddressMail, mailAccount, sendsMail } from "./account-mails";
import { checkStrength } from "./check-strength";
import type { Client } from "./client";
import { countTry, isWithinLimit } from "./count-tries";
import { hashPassword, verifyPassword } from "./hash-password";
import { isSlugTaken, selectUserByEmail } from "./queries";
import { insertInvited, insertOwner, type PendingMember, slugTaken, taken } from "./sign-up";

/**
 * A stranger signs up. With mail, the answer never tells whether the address has an account: the mail does. Without mail, the
 * account exists at once, and NAME_TAKEN tells (docs/decisions/039-limits-of-sign-in.md). Throws TOO_MANY_REQUESTS.
 */
export async function requestSignUp(
  platform: Platform,
  { password, ...input }: SignUpInput,
  client: Client,
): Promise<MailOutcome> {
  checkStrength(password, [input.name, input.email]);
  await countTry(platform, [["sign-up-network", client.network]]);
  const passwordHash = await hashPassword(password, client.network);
  if (!sendsMail(platform)) {
    await platform.db.transaction((tx) => insertOwner(tx, platform, { ...input, passwordHash }));
    return { outcome: "DONE" };
  }
  const slug = input.organizationSlug;
  if (await isSlugTaken(platform.db, slug)) throw taken("organizationSlug", slugTaken(slug));
  if (await isWithinLimit(platform, ["mail-address", "sign-up", input.email]))
    await mailSignUp(platform, { ...input, passwordHash }, input.organizationName);
  return { outcome: "MAILED" };
}

type PendingOwner = Omit<SignUpInput, "password"> & { passwordHash: string };

/** Known and unknown addresses take the same statements, so that the time tells nothing either. */
export async function mailSignUp(
  platform: Platform,
  person: PendingOwner | PendingMember,
  organizationName: string,
): Promise<void> {
  const { email } = person;
  const webUrl = platform.environment.PLATFORM_WEB_URL;
  const joins = "invitationHash" in person;
  const user = await selectUserByEmail(platform.db, email);
  await platform.db.transaction(async (tx) => {
    if (user === undefined) {
      const href = await createLink(tx, webUrl, { kind: "SIGN_UP", content: { ...person } });
      await mailAccount(tx, platform, email, confirmSignUpMail(organizationName, href, joins));
    } else {
      const href = await createLink(tx, webUrl, { kind: "NEW_PASSWORD", userId: user.id });
      await mailAccount(tx, platform, email, knownAddressMail(organizationName, href, joins));
    }
  });
}

const { name, email } = signUpInput.shape;
const pendingOwner = signUpInput.omit({ password: true }).extend({ passwordHash: name });
const pendingMember = z.strictObject({ name, email, passwordHash: name, invitationHash: name });
const pendingSignUp = z.union([pendingMember, pendingOwner]);

/**
 * Creates the account of a confirmed address. Asks for the password again, because whoever signed up with somebody else's address
 * must not get an account that its owner confirms. Throws NOT_FOUND, WRONG_CREDENTIALS, NAME_TAKEN or TOO_MANY_REQUESTS.
 */
export async function confirmSignUp(
  platform: Platform,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ email: string }> {
  await countTry(platform, [["link-network", client.network]]);
  return platform.db.transaction(async (tx) => {
    const { content } = await takeLink(tx, "SIGN_UP", token);
    const person = pendingSignUp.parse(content);
    if (!(await verifyPassword(person.passwordHash, password, client.network)))
      throw new Problem(
        "WRONG_CREDENTIALS",
        "This is not the password that was chosen for this sign-up. If you did not sign up, close this page.",
      );
    const emailConfirmedAt = new Date();
    if ("invitationHash" in person) await insertInvited(tx, platform, person, emailConfirmedAt);
    else await insertOwner(tx, platform, { ...person, emailConfirmedAt });
    return { email: person.email };
  });
}

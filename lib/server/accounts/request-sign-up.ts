import * as z from "zod";
import {
  type InvitedPersonInput,
  type MailOutcome,
  type SignUpInput,
  signUpInput,
} from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import type { Platform } from "../platform/platform";
import {
  confirmSignUpMail,
  createLink,
  knownAddressMail,
  linkEnd,
  mailAccount,
  readLink,
  sendsMail,
  takeLink,
} from "./account-mails";
import {
  deleteSignUpsOf,
  insertPendingSignUp,
  isSlugTaken,
  selectPendingSignUps,
  selectUserByEmail,
} from "./account-queries";
import { countTry, hashKey, isWithinLimit } from "./count-tries";
import { deadInvitation, hashInvitation, otherAddress } from "./join-organization";
import { selectOffer } from "./member-queries";
import { checkStrength, hashPassword, verifyPassword } from "./password";
import type { Client } from "./sessions";
import { insertInvited, insertOwner, type PendingMember, slugTaken, taken } from "./sign-up";

/**
 * A stranger signs up. With email, only the email reveals whether the address has an account, never the response.
 * Without email, the account exists immediately, and NAME_TAKEN reveals it (docs/decisions/026-limits-of-sign-in.md).
 * Throws TOO_MANY_REQUESTS.
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
  await mailSignUp(platform, { ...input, passwordHash }, input.organizationName, client);
  return { outcome: "MAILED" };
}

type PendingOwner = Omit<SignUpInput, "password"> & { passwordHash: string };

/**
 * Remembers the sign-up, and emails a link to the address. Strangers can use up its emails, but then one of their links
 * works: a link confirms the address, not the sign-up that requested it. Known and unknown addresses take the same
 * statements, so that timing reveals nothing either.
 */
async function mailSignUp(
  platform: Platform,
  person: PendingOwner | PendingMember,
  organizationName: string,
  { network }: Pick<Client, "network">,
): Promise<void> {
  const { email } = person;
  const webUrl = platform.environment.PLATFORM_WEB_URL;
  const isMailed = await isWithinLimit(
    platform,
    ["sign-up-mail-network", email, network],
    ["sign-up-mail-address", email],
  );
  const user = await selectUserByEmail(platform.db, email);
  await platform.db.transaction(async (tx) => {
    const pending = { email, requester: hashKey([network]), content: { ...person }, expiresAt: linkEnd() };
    await insertPendingSignUp(tx, pending);
    if (!isMailed) return;
    if (user === undefined) {
      const href = await createLink(tx, webUrl, { kind: "SIGN_UP", content: { email } });
      await mailAccount(tx, platform, email, confirmSignUpMail(href));
    } else {
      const joins = "invitationHash" in person;
      const href = await createLink(tx, webUrl, { kind: "NEW_PASSWORD", userId: user.id });
      await mailAccount(tx, platform, email, knownAddressMail(organizationName, href, joins));
    }
  });
}

const { name, email } = signUpInput.shape;
const pendingOwner = signUpInput.omit({ password: true }).extend({ passwordHash: name });
const pendingMember = z.strictObject({ name, email, passwordHash: name, invitationHash: name });
const signUpLink = z.strictObject({ email });
const pendingSignUp = z.union([pendingMember, pendingOwner]);

/**
 * How many sign-ups' passwords are compared: at least all that one network can request while a link works, so that nobody in the
 * owner's network can keep the owner out. Only someone who reads the address's email can make us compare them.
 */
const MOST_COMPARED = 60;

/**
 * Creates the account of a confirmed address: of the sign-ups with it, the one that has this password. So a person who
 * signs up with somebody else's address can't get an account confirmed by its owner. Throws NOT_FOUND, WRONG_CREDENTIALS,
 * NAME_TAKEN or TOO_MANY_REQUESTS.
 */
export async function confirmSignUp(
  platform: Platform,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ email: string }> {
  await countTry(platform, [["link-network", client.network]]);
  const { email } = signUpLink.parse((await readLink(platform.db, "SIGN_UP", token)).content);
  const person = await findSignUp(platform, email, password, client);
  if (person === undefined)
    throw new Problem(
      "WRONG_CREDENTIALS",
      "No sign-up matches this address and password. Enter the password again, or sign up again. If you didn't sign up, close this page.",
    );
  await platform.db.transaction(async (tx) => {
    await takeLink(tx, "SIGN_UP", token);
    const emailConfirmedAt = new Date();
    if ("invitationHash" in person) await insertInvited(tx, platform, person, emailConfirmedAt);
    else await insertOwner(tx, platform, { ...person, emailConfirmedAt });
    await deleteSignUpsOf(tx, email);
  });
  return { email };
}

async function findSignUp(
  { db }: Platform,
  address: string,
  password: string,
  { network }: Client,
): Promise<z.output<typeof pendingSignUp> | undefined> {
  for (const content of await selectPendingSignUps(db, address, hashKey([network]), MOST_COMPARED)) {
    const person = pendingSignUp.parse(content);
    if (await verifyPassword(person.passwordHash, password, network)) return person;
  }
  return undefined;
}

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

import { normalizeAddress, type PasswordChangeInput } from "@/lib/contract/accounts/account";
import type { AuditAction } from "@/lib/contract/platform/audit";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import {
  changedMail,
  createLink,
  endLinks,
  mailAccount,
  newPasswordMail,
  sendsMail,
  takeLink,
} from "./account-mails";
import { selectUser, selectUserByEmail, updatePassword } from "./account-queries";
import { auditAccount } from "./audit-account";
import { countTry, isWithinLimit } from "./count-tries";
import { checkCurrentPassword, checkStrength, hashPassword } from "./password";
import type { Client } from "./sessions";
import { deleteSecondFactor, revokeOtherSessionRows } from "./sign-in-queries";

/** Ends the user's other sessions. Throws BAD_INPUT (weak, or not the current password) or TOO_MANY_REQUESTS. */
export async function changePassword(
  platform: Platform,
  actor: Actor,
  { currentPassword, password }: PasswordChangeInput,
  client: Client,
): Promise<void> {
  checkStrength(password, [actor.name, actor.email]);
  await checkCurrentPassword(platform, actor, currentPassword, client);
  const passwordHash = await hashPassword(password, client.network);
  await platform.db.transaction((tx) =>
    setPassword(tx, platform, actor, passwordHash, {
      action: "account.change-password",
      keep: actor.sessionId,
    }),
  );
}

/**
 * Emails a link to set a new password, if the address has an account. The response is the same for every address, and
 * takes the same time. Throws TOO_MANY_REQUESTS for a network, UNAVAILABLE on a platform that sends no email.
 */
export async function requestNewPassword(platform: Platform, email: string, client: Client): Promise<void> {
  if (!sendsMail(platform))
    throw new Problem("UNAVAILABLE", "This platform sends no email. Ask its operator for a link.");
  await countTry(platform, [["reset-network", client.network]]);
  await Promise.all([mailNewPassword(platform, email), new Promise((done) => setTimeout(done, ANSWER_MS))]);
}

/** Longer than the statements take, so that their number can't be measured from outside. */
const ANSWER_MS = 400;

async function mailNewPassword(platform: Platform, email: string): Promise<void> {
  const user = await selectUserByEmail(platform.db, email);
  if (user === undefined || !(await isWithinLimit(platform, ["mail-address", "reset", email]))) return;
  await platform.db.transaction(async (tx) => {
    const href = await createLink(tx, platform.environment.PLATFORM_WEB_URL, {
      kind: "NEW_PASSWORD",
      userId: user.id,
    });
    await mailAccount(tx, platform, email, newPasswordMail(href));
  });
}

/** Sets the password of a link's user and ends all sessions. Throws NOT_FOUND, BAD_INPUT (weak) or TOO_MANY_REQUESTS. */
export async function setNewPassword(
  platform: Platform,
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<{ userId: string; email: string }> {
  await countTry(platform, [["link-network", client.network]]);
  checkStrength(password, []);
  const passwordHash = await hashPassword(password, client.network);
  return platform.db.transaction(async (tx) => {
    const { userId } = await takeLink(tx, "NEW_PASSWORD", token);
    const user = userId === null ? undefined : await selectUser(tx, userId);
    if (user === undefined) throw new Error("the link belongs to no user");
    checkStrength(password, [user.name, user.email]);
    const owner = { userId: user.id, email: user.email };
    await setPassword(tx, platform, owner, passwordHash, { action: "account.reset-password" });
    return owner;
  });
}

/** All links and other sessions of the user stop working, and the user is notified. */
async function setPassword(
  tx: Db,
  platform: Platform,
  { userId, email }: { userId: string; email: string },
  passwordHash: string,
  { action, keep }: { action: AuditAction; keep?: string },
): Promise<void> {
  await updatePassword(tx, userId, passwordHash);
  await revokeOtherSessionRows(tx, userId, keep);
  await endLinks(tx, userId);
  const what = "The password of your account was changed, and your other sessions were ended.";
  await mailAccount(tx, platform, email, changedMail("Your password was changed", what));
  await auditAccount(tx, platform.keyring, { userId, action });
}

/** Records what an operator does for someone who can't sign in. */
const OPERATOR = "operator:command";

/** A link to set a new password, to hand over. Throws NOT_FOUND if the address has no account. */
export async function createNewPasswordLink(platform: Platform, email: string): Promise<string> {
  return platform.db.transaction(async (tx) => {
    const { id: userId } = await findUser(tx, email);
    const webUrl = platform.environment.PLATFORM_WEB_URL;
    const href = await createLink(tx, webUrl, { kind: "NEW_PASSWORD", userId });
    const action = "account.create-password-link";
    await auditAccount(tx, platform.keyring, { userId, actor: OPERATOR, action });
    return href;
  });
}

/** For someone who lost their phone and recovery codes. Ends all sessions. Throws NOT_FOUND or WRONG_STATE. */
export async function removeSecondFactorFor(platform: Platform, email: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const { id: userId, email: address } = await findUser(tx, email);
    if (!(await deleteSecondFactor(tx, userId)))
      throw new Problem("WRONG_STATE", `${email} has no two-factor sign-in.`);
    await revokeOtherSessionRows(tx, userId);
    const what = "The operator of the platform turned off two-factor sign-in for your account.";
    await mailAccount(tx, platform, address, changedMail("Two-factor sign-in is off", what));
    const action = "account.turn-off-second-factor";
    await auditAccount(tx, platform.keyring, { userId, actor: OPERATOR, action });
  });
}

async function findUser(tx: Db, email: string) {
  const user = await selectUserByEmail(tx, normalizeAddress(email));
  if (user === undefined) throw new Problem("NOT_FOUND", `No account has the email address ${email}.`);
  return user;
}

import type { PasswordChangeInput } from "@/lib/contract/account";
import type { AuditAction } from "@/lib/contract/audit";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import type { Db } from "../database/connect";
import { createLink, endLinks, takeLink } from "../identity/account-links";
import { changedMail, mailAccount, newPasswordMail, sendsMail } from "../identity/account-mails";
import { auditAccount } from "../identity/audit-account";
import { checkStrength } from "../identity/check-strength";
import type { Client } from "../identity/client";
import { countTry, isWithinLimit } from "../identity/count-tries";
import { hashPassword } from "../identity/hash-password";
import { selectUser, selectUserByEmail } from "../identity/queries";
import { revokeOtherSessionRows } from "../identity/session-queries";
import type { Platform } from "../platform/platform";
import { checkCurrentPassword } from "./check-current-password";
import { updatePassword } from "./queries";

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

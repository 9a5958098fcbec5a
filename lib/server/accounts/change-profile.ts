import type { EmailChangeInput, MailOutcome } from "@/lib/contract/accounts/account";
import type { Actor } from "@/lib/domain/platform/actor";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import {
  changedMail,
  confirmAddressMail,
  createLink,
  endLinks,
  mailAccount,
  sendsMail,
  takeLink,
  takenAddressMail,
} from "./account-mails";
import { selectUser, selectUserByEmail, updateEmail, updateName, updateZone } from "./account-queries";
import { auditAccount } from "./audit-account";
import { countTry, isWithinLimit } from "./count-tries";
import { checkCurrentPassword } from "./password";
import type { Client } from "./sessions";
import { taken } from "./sign-up";

export async function changeName(platform: Platform, { userId }: Actor, name: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    await updateName(tx, userId, name);
    await auditAccount(tx, platform.keyring, { userId, action: "account.change-name" });
  });
}

/** For all of the user's browsers and emails. Null: each browser shows its own. */
export async function changeZone(platform: Platform, { userId }: Actor, zone: string | null): Promise<void> {
  await platform.db.transaction(async (tx) => {
    await updateZone(tx, userId, zone);
    await auditAccount(tx, platform.keyring, { userId, action: "account.change-zone" });
  });
}

/**
 * With email, the new address has to be confirmed, and the response doesn't reveal whether it has an account. Without
 * email, it takes effect immediately. Throws BAD_INPUT (not the current password), NAME_TAKEN (without email) or
 * TOO_MANY_REQUESTS.
 */
export async function requestEmailChange(
  platform: Platform,
  actor: Actor,
  { email, currentPassword }: EmailChangeInput,
  client: Client,
): Promise<MailOutcome> {
  await checkCurrentPassword(platform, actor, currentPassword, client);
  if (!sendsMail(platform)) {
    await countTry(platform, [["sign-up-network", client.network]]);
    await platform.db.transaction((tx) => setEmail(tx, platform, actor, email, null));
    return { outcome: "DONE" };
  }
  if (!(await isWithinLimit(platform, ["mail-address", "change", email]))) return { outcome: "MAILED" };
  const other = await selectUserByEmail(platform.db, email);
  await platform.db.transaction(async (tx) => {
    const href = await createLink(tx, platform.environment.PLATFORM_WEB_URL, {
      kind: "EMAIL_CHANGE",
      userId: actor.userId,
      content: { email },
    });
    await mailAccount(
      tx,
      platform,
      email,
      other === undefined ? confirmAddressMail(href) : takenAddressMail(),
    );
  });
  return { outcome: "MAILED" };
}

/** Throws NOT_FOUND for an invalid link, NAME_TAKEN if another account took the address in the meantime. */
export async function confirmEmailChange(
  platform: Platform,
  token: string,
  client: Client,
): Promise<{ email: string }> {
  await countTry(platform, [["link-network", client.network]]);
  return platform.db.transaction(async (tx) => {
    const { userId, content } = await takeLink(tx, "EMAIL_CHANGE", token);
    const user = userId === null ? undefined : await selectUser(tx, userId);
    if (user === undefined || content.email === undefined) throw new Error("the link names no new address");
    await setEmail(tx, platform, { userId: user.id, email: user.email }, content.email, new Date());
    return { email: content.email };
  });
}

/** The old address is notified, and links that were sent to it stop working. */
async function setEmail(
  tx: Db,
  platform: Platform,
  { userId, email: before }: { userId: string; email: string },
  email: string,
  confirmedAt: Date | null,
): Promise<void> {
  await updateEmail(tx, userId, email, confirmedAt).catch((error: unknown) => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw taken("email", "Another account already uses this address. Use a different one.");
  });
  await endLinks(tx, userId);
  const what = `You now sign in as ${email}. This address is no longer used.`;
  await mailAccount(tx, platform, before, changedMail("Your email address was changed", what));
  await auditAccount(tx, platform.keyring, { userId, action: "account.change-email" });
}

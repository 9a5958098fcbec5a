/** What an operator can do for someone who can't sign in. Each is recorded with the operator as the actor. */
import { Problem } from "@/lib/contract/problem";
import type { Db } from "../database/connect";
import { createLink } from "../identity/account-links";
import { changedMail, mailAccount } from "../identity/account-mails";
import { auditAccount } from "../identity/audit-account";
import { selectUserByEmail } from "../identity/queries";
import { revokeOtherSessionRows } from "../identity/session-queries";
import type { Platform } from "../platform/platform";
import { deleteSecondFactor } from "../second-factor/queries";

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
    const { id: userId } = await findUser(tx, email);
    if (!(await deleteSecondFactor(tx, userId)))
      throw new Problem("WRONG_STATE", `${email} has no two-factor sign-in.`);
    await revokeOtherSessionRows(tx, userId);
    const what = "The operator of the platform turned off two-factor sign-in for your account.";
    await mailAccount(tx, platform, email, changedMail("Two-factor sign-in is off", what));
    const action = "account.turn-off-second-factor";
    await auditAccount(tx, platform.keyring, { userId, actor: OPERATOR, action });
  });
}

async function findUser(tx: Db, email: string) {
  const user = await selectUserByEmail(tx, email.trim().toLowerCase());
  if (user === undefined) throw new Problem("NOT_FOUND", `No account has the email address ${email}.`);
  return user;
}

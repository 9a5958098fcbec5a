import { signInCode } from "@/lib/contract/account";
import type { SignInInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { hasSecondFactor, consumeCode } from "../second-factor/check-code";
import { changedMail, mailAccount } from "./account-mails";
import { auditAccount } from "./audit-account";
import type { Client } from "./client";
import { type Counted, countTry } from "./count-tries";
import { verifyPassword } from "./hash-password";
import { selectUserByEmail } from "./queries";
import { openSession } from "./sessions";

/**
 * Creates a session, once the password is right and, for users with a second factor, the code is too. Throws
 * WRONG_CREDENTIALS (also for an unknown email address), SECOND_FACTOR_NEEDED, WRONG_CODE, TOO_MANY_REQUESTS or
 * OVERLOADED.
 */
export async function signIn(
  platform: Platform,
  { email, password, code }: SignInInput,
  client: Client,
): Promise<{ sessionId: string; userId: string }> {
  const user = await selectUserByEmail(platform.db, email);
  const device = user === undefined ? undefined : client.devices.get(user.id);
  const tries = await countTry(platform, passwordLimits(email, device, client.network));
  if (!(await verifyPassword(user?.passwordHash, password, client.network)) || user === undefined)
    throw new Problem("WRONG_CREDENTIALS", "Wrong email or password.");
  await tries.giveBack();
  if (await hasSecondFactor(platform.db, user.id)) await checkCode(platform, user, code, device);
  return { sessionId: await openSession(platform, user.id, client, "PASSWORD"), userId: user.id };
}

/** A known browser has a limit of its own, so that strangers who use up the others do not keep the owner out. */
function passwordLimits(email: string, device: string | undefined, network: string): Counted[] {
  if (device !== undefined) return [["password-device", device]];
  return [
    ["password-network", network],
    ["password-network-account", network, email],
    ["password-account", email],
  ];
}

async function checkCode(
  platform: Platform,
  user: { id: string; email: string },
  code: string | undefined,
  device: string | undefined,
): Promise<void> {
  if (code === undefined || code.trim() === "")
    throw new Problem("SECOND_FACTOR_NEEDED", "Enter the code from your authenticator app.");
  const limit: Counted = device === undefined ? ["code-account", user.id] : ["code-device", device];
  const tries = await countTry(platform, [limit]);
  const parsed = signInCode.safeParse(code);
  const isRight =
    parsed.success && (await platform.db.transaction((tx) => acceptCode(tx, platform, user, parsed.data)));
  if (!isRight)
    throw new Problem(
      "WRONG_CODE",
      "This code is wrong or was already used. Enter the next code that the app shows.",
    );
  await tries.giveBack();
}

/** False for a wrong code. A recovery code is used up by this, so its owner is notified. */
async function acceptCode(
  tx: Db,
  platform: Platform,
  { id: userId, email }: { id: string; email: string },
  code: string,
): Promise<boolean> {
  const use = await consumeCode(tx, platform.keyring, userId, code);
  if (use === "recovery-code") {
    const what = "A recovery code was used to sign in to your account. It can't be used again.";
    await mailAccount(tx, platform, email, changedMail("A recovery code was used", what));
    await auditAccount(tx, platform.keyring, { userId, action: "account.use-recovery-code" });
  }
  return use !== "wrong";
}

import { signInCode, type SignInInput } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { decideLink, type IssuedIdentity, type LinkDecision } from "@/lib/domain/accounts/sign-in";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { changedMail, mailAccount } from "./account-mails";
import { selectUser, selectUserByEmail } from "./account-queries";
import { auditAccount } from "./audit-account";
import { type Counted, countTry } from "./count-tries";
import { verifyUser } from "./password";
import { consumeCode, hasSecondFactor } from "./second-factor";
import { type Client, openSession } from "./sessions";
import { deleteIdentities, insertIdentity, selectIdentities, selectLinkedUser } from "./sign-in-queries";

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
  if (!(await verifyUser(platform, user, password, client.network)) || user === undefined)
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

/** Links the identity if the rule allows it. Creates no user. `actor`: the user who is signed in with this browser. */
export async function admitIdentity(
  platform: Platform,
  identity: IssuedIdentity,
  actor: Actor | undefined,
): Promise<LinkDecision> {
  const { issuer, subject, email } = identity;
  const user = email === "" ? undefined : await selectUserByEmail(platform.db, email);
  const decision = decideLink(identity, {
    linkedUserId: await selectLinkedUser(platform.db, issuer, subject),
    signedInUserId: actor?.userId,
    sameAddress: user && { userId: user.id, confirmed: user.emailConfirmedAt !== null },
    trustedDomains: platform.environment.PLATFORM_OIDC_DOMAINS,
  });
  if (decision.do === "link") await link(platform, identity, decision.userId);
  return decision;
}

async function link(platform: Platform, { issuer, subject, email }: IssuedIdentity, userId: string) {
  await platform.db.transaction(async (tx) => {
    if (!(await insertIdentity(tx, { issuer, subject, email, userId }))) return;
    const user = await selectUser(tx, userId);
    const what = `You can now also sign in to your account with ${platform.environment.PLATFORM_OIDC_NAME}.`;
    if (user !== undefined)
      await mailAccount(tx, platform, user.email, changedMail("A new way to sign in was added", what));
    await auditAccount(tx, platform.keyring, {
      userId,
      action: "account.link-identity",
      details: { issuer },
    });
  });
}

/** A session of the user to whom the identity is linked. Throws NOT_SIGNED_IN if there is none. */
export async function signInWithIdentity(
  platform: Platform,
  { issuer, subject }: IssuedIdentity,
  client: Client,
): Promise<{ sessionId: string; userId: string }> {
  const userId = await selectLinkedUser(platform.db, issuer, subject);
  if (userId === undefined) throw new Problem("NOT_SIGNED_IN", "No account is linked to this identity.");
  return { sessionId: await openSession(platform, userId, client, "OIDC"), userId };
}

interface LinkedIdentity {
  email: string;
  /** ISO 8601. */
  since: string;
}

export async function listIdentities(platform: Platform, { userId }: Actor): Promise<LinkedIdentity[]> {
  const rows = await selectIdentities(platform.db, userId);
  return rows.map(({ email, createdAt }) => ({ email, since: createdAt.toISOString() }));
}

/** The user signs in with the password from then on. Throws NOT_FOUND if nothing is linked. */
export async function unlinkIdentities(platform: Platform, { userId }: Actor): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!(await deleteIdentities(tx, userId))) throw new Problem("NOT_FOUND");
    await auditAccount(tx, platform.keyring, { userId, action: "account.unlink-identity" });
  });
}

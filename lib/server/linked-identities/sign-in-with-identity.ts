import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { decideLink, type IssuedIdentity, type LinkDecision } from "@/lib/domain/identity-link";
import { changedMail, mailAccount } from "../identity/account-mails";
import { auditAccount } from "../identity/audit-account";
import type { Client } from "../identity/client";
import { selectUser, selectUserByEmail } from "../identity/queries";
import { openSession } from "../identity/sessions";
import type { Platform } from "../platform/platform";
import { deleteIdentities, insertIdentity, selectIdentities, selectLinkedUser } from "./queries";

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

export interface LinkedIdentity {
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

import { randomBytes } from "node:crypto";
import {
  type CreatedInvitation,
  INVITATION_DAYS,
  type InvitationInput,
} from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { asRole } from "@/lib/domain/accounts/organization";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import { ID_CURSOR, readPage } from "../platform/database/paging";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { invitationMail, mailAccount, sendsMail } from "./account-mails";
import { selectUserByEmail } from "./account-queries";
import {
  countInvitations,
  countWorking,
  insertInvitation,
  isMemberAddress,
  renewInvitationRow,
  revokeEarlier,
  revokeInvitationRow,
  selectInvitations,
} from "./invitation-queries";
import { hashInvitation } from "./join-organization";
import { lockMembers } from "./member-queries";

const DAY_MS = 24 * 60 * 60_000;
/** How many open invitations an organization can have. */
const MOST = 100;

const PAGE = 20;

/** Open and expired ones, newest first. `after`: the cursor of the page; an invalid one means the first page. */
export async function listInvitations({ db }: Platform, { organization }: Member, after?: string) {
  const [{ rows: invitations, ...pages }, total] = await Promise.all([
    readPage(after, PAGE, ID_CURSOR, (position, limit) =>
      selectInvitations(db, organization.id, { position, limit }),
    ),
    countInvitations(db, organization.id),
  ]);
  return { invitations, total, ...pages };
}

/**
 * Creates a link that works once, and emails it to the address if there is one and the platform sends mail. An earlier
 * link for the address ends. Throws WRONG_STATE for a member's address, QUOTA_EXCEEDED.
 */
export async function createInvitation(
  platform: Platform,
  owner: Member,
  { role, email }: InvitationInput,
): Promise<CreatedInvitation> {
  const { id: organizationId, moderation } = owner.organization;
  if (moderation === true)
    throw new Problem(
      "WRONG_STATE",
      "You can't invite people to this organization. They join it when they become moderators.",
    );
  const { token, ...link } = newLink(owner);
  return platform.db.transaction(async (tx) => {
    await lockMembers(tx, organizationId);
    if (email !== "" && (await isMemberAddress(tx, organizationId, email)))
      throw new Problem(
        "WRONG_STATE",
        `${email} is already a member. Change the role in the list of members.`,
      );
    if (email !== "") await revokeEarlier(tx, organizationId, email);
    if ((await countWorking(tx, organizationId)) >= MOST)
      throw new Problem(
        "QUOTA_EXCEEDED",
        `Your organization already has ${MOST} open invitations, the maximum. Revoke some of them first.`,
      );
    const id = await insertInvitation(tx, {
      organizationId,
      role,
      email: email === "" ? null : email,
      ...link,
    });
    const sent = await sendLink(tx, platform, owner, { email, role, token });
    if (email !== "" && !sent.mailed) await tellInvited(tx, owner, { id, email, role });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${owner.userId}`,
      action: "invitation.create",
      subject: `invitation:${id}`,
      details: { role, email },
    });
    return { id, ...sent };
  });
}

/** A new link, for another 7 days. The old one ends. NOT_FOUND if the invitation is foreign, used or revoked. */
export async function renewInvitation(
  platform: Platform,
  owner: Member,
  id: string,
): Promise<CreatedInvitation> {
  const organizationId = owner.organization.id;
  const { token, ...link } = newLink(owner);
  return platform.db.transaction(async (tx) => {
    const renewed = await renewInvitationRow(tx, organizationId, id, link);
    if (renewed === undefined) throw noSuchInvitation();
    const sent = await sendLink(tx, platform, owner, {
      email: renewed.email ?? "",
      role: renewed.role,
      token,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${owner.userId}`,
      action: "invitation.renew",
      subject: `invitation:${id}`,
    });
    return { id, ...sent };
  });
}

/** NOT_FOUND if the invitation is foreign, used or revoked. */
export async function revokeInvitation(platform: Platform, owner: Member, id: string): Promise<void> {
  const organizationId = owner.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await revokeInvitationRow(tx, organizationId, id))) throw noSuchInvitation();
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${owner.userId}`,
      action: "invitation.revoke",
      subject: `invitation:${id}`,
    });
  });
}

function newLink({ userId }: Member) {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS);
  return { token, tokenHash: hashInvitation(token), expiresAt, invitedBy: userId };
}

async function sendLink(
  tx: Db,
  platform: Platform,
  { name, organization }: Member,
  { email, role, token }: InvitationInput & { token: string },
): Promise<{ url: string; mailed: boolean }> {
  const url = new URL(`/invitations/${token}`, platform.environment.PLATFORM_WEB_URL).href;
  const mailed = email !== "" && sendsMail(platform);
  if (mailed)
    await mailAccount(
      tx,
      platform,
      email,
      invitationMail({ invitedBy: name, organizationName: organization.name, role, href: url }),
    );
  return { url, mailed };
}

/** Where no email is sent, a person with an account learns of the invitation in the product. Only the owner has the link. */
async function tellInvited(
  tx: Db,
  { name, organization }: Member,
  { id, email, role }: InvitationInput & { id: string },
): Promise<void> {
  const user = await selectUserByEmail(tx, email);
  if (user === undefined) return;
  await notify(tx, {
    kind: "invitation",
    to: { userId: user.id },
    title: `${name} invites you to ${organization.name} as ${asRole(role)}`,
    body: "Ask them for the link, and open it to join.",
    href: "/notifications",
    subject: `invitation:${id}`,
  });
}

function noSuchInvitation(): Problem {
  return new Problem(
    "NOT_FOUND",
    "This invitation no longer exists. It was used or revoked. Reload the list.",
  );
}

import { Problem } from "@/lib/contract/platform/problem";
import type { Role } from "@/lib/contract/platform/role";
import { asRole } from "@/lib/domain/accounts/organization";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import { searchText } from "../platform/database/expressions";
import { type CursorKind, ID_CURSOR, readPage } from "../platform/database/paging";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { revokeApiKeysOf } from "./credentials/api-key-queries";
import {
  countMembers,
  countOwners,
  deleteMembership,
  lockMembers,
  revokeInvitationsOf,
  selectMembers,
  selectMembership,
  updateRole,
} from "./member-queries";

const PAGE = 20;

const BY_USER: CursorKind<string, { userId: string }> = {
  read: ID_CURSOR.read,
  write: ({ userId }) => userId,
};

/** The members with their roles. */
export async function listMembers(
  { db }: Platform,
  { organization }: Member,
  query: { search?: string; after?: string } = {},
) {
  const search = searchText(query.search);
  const [{ rows: members, ...pages }, total, owners] = await Promise.all([
    readPage(query.after, PAGE, BY_USER, (position, limit) =>
      selectMembers(db, organization.id, { search, position, limit }),
    ),
    countMembers(db, organization.id, search),
    countOwners(db, organization.id),
  ]);
  return { members, total, owners, ...pages };
}

/** Throws NOT_FOUND if the person is no member, WRONG_STATE for the last owner. */
export async function changeRole(
  platform: Platform,
  owner: Member,
  userId: string,
  role: Role,
): Promise<void> {
  const { id: organizationId, name } = owner.organization;
  await platform.db.transaction(async (tx) => {
    const before = await lockMember(tx, owner, userId);
    if (before.role === role) return;
    if (!(await updateRole(tx, organizationId, userId, role))) throw lastOwner("demoted");
    if (before.role === "owner") await revokeInvitationsOf(tx, organizationId, userId);
    await notify(tx, {
      kind: "membership",
      to: { userId, except: owner.userId },
      title: `You are now ${asRole(role)} of ${name}`,
      body: `${owner.name} changed your role from ${before.role} to ${role}.`,
      href: "/home",
      subject: `organization:${organizationId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${owner.userId}`,
      action: "member.change-role",
      subject: `user:${userId}`,
      details: { from: before.role, to: role },
    });
  });
}

/**
 * Takes effect at the person's next request. Their API keys belong to the organization and keep working, unless `revokeApiKeys`.
 * Throws NOT_FOUND if the person is no member, WRONG_STATE for the last owner.
 */
export async function removeMember(
  platform: Platform,
  owner: Member,
  userId: string,
  { revokeApiKeys }: { revokeApiKeys: boolean },
): Promise<void> {
  const { id: organizationId, name } = owner.organization;
  await platform.db.transaction(async (tx) => {
    const { role } = await lockMember(tx, owner, userId);
    if (!(await deleteMembership(tx, organizationId, userId))) throw lastOwner("removed");
    await revokeInvitationsOf(tx, organizationId, userId);
    const revoked = revokeApiKeys ? await revokeApiKeysOf(tx, organizationId, userId) : [];
    await notify(tx, {
      kind: "membership",
      to: { userId, except: owner.userId },
      title: `You were removed from ${name}`,
      body: `${owner.name} removed you. Your account and your other organizations are not affected.`,
      href: "/home",
      subject: `organization:${organizationId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${owner.userId}`,
      action: "member.remove",
      subject: `user:${userId}`,
      details: { role, revokedApiKeys: revoked },
    });
  });
}

/** Throws WRONG_STATE for the last owner. */
export async function leaveOrganization(platform: Platform, member: Member): Promise<void> {
  const { id: organizationId, name } = member.organization;
  const { userId } = member;
  await platform.db.transaction(async (tx) => {
    const { role } = await lockMember(tx, member, userId);
    if (!(await deleteMembership(tx, organizationId, userId))) throw lastOwner("leave");
    await revokeInvitationsOf(tx, organizationId, userId);
    await notify(tx, {
      kind: "membership",
      to: { organizationId, roles: ["owner"] },
      title: `${member.name} left ${name}`,
      body: "API keys that they created keep working until you revoke them.",
      href: "/organization/members",
      subject: `user:${userId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${userId}`,
      action: "member.leave",
      subject: `organization:${organizationId}`,
      details: { role },
    });
  });
}

async function lockMember(tx: Db, { organization }: Member, userId: string) {
  if (organization.moderation === true)
    throw new Problem(
      "WRONG_STATE",
      "This organization is for the platform's moderators. People join it when they become moderators, and leave it when they lose that role.",
    );
  await lockMembers(tx, organization.id);
  const found = await selectMembership(tx, organization.id, userId);
  if (found === undefined)
    throw new Problem("NOT_FOUND", "This person is not a member of your organization. Reload the list.");
  return found;
}

function lastOwner(what: "demoted" | "removed" | "leave"): Problem {
  const subject =
    what === "leave" ? "You are the last owner, so you can't leave" : `The last owner can't be ${what}`;
  return new Problem(
    "WRONG_STATE",
    `${subject}: nobody could manage the organization. Make another member an owner first.`,
  );
}

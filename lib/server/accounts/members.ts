import type { ExportFormat } from "@/lib/contract/platform/audit-view";
import { Problem } from "@/lib/contract/platform/problem";
import type { Role } from "@/lib/contract/platform/role";
import { asRole } from "@/lib/domain/accounts/organization";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import { searchText } from "../platform/database/expressions";
import { byCursor, findSort, readAll, readPage } from "../platform/database/paging";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { type Column, writeRows } from "../platform/write-rows";
import { revokeApiKeysOf } from "./credentials/api-key-queries";
import {
  countMembers,
  countOwners,
  deleteMembership,
  lockMembers,
  MEMBER_SORTS,
  revokeInvitationsOf,
  selectMembers,
  selectMembership,
  updateRole,
} from "./member-queries";

const PAGE = 20;
const EXPORT_PAGE = 500;

/** From the URL. What is unknown counts as absent. */
interface MemberQuery {
  search?: string;
  sort?: string;
  after?: string;
}

/** The members with their roles. */
export async function listMembers({ db }: Platform, { organization }: Member, query: MemberQuery = {}) {
  const search = searchText(query.search);
  const sort = findSort(MEMBER_SORTS, query.sort);
  const sorting = MEMBER_SORTS[sort];
  const [{ rows, ...pages }, total, owners] = await Promise.all([
    readPage(query.after, PAGE, byCursor(sorting), (position, limit) =>
      selectMembers(db, organization.id, { search, sorting, position, limit }),
    ),
    countMembers(db, organization.id, search),
    countOwners(db, organization.id),
  ]);
  const members = rows.map(({ id: userId, cursor: _cursor, ...row }) => ({ userId, ...row }));
  return { members, sort, total, owners, ...pages };
}

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number];

const COLUMNS: readonly Column<MemberRow>[] = [
  ["id", (member) => member.id],
  ["name", (member) => member.name],
  ["email", (member) => member.email],
  ["role", (member) => member.role],
  ["joinedAt", (member) => member.joinedAt],
  ["lastSeenAt", (member) => member.lastSeenAt],
  ["apiKeys", (member) => member.apiKeys],
];

/** The members that a list shows, as a file. */
export function exportMembers(
  { db }: Platform,
  { organization }: Member,
  query: MemberQuery,
  format: ExportFormat,
): AsyncGenerator<string> {
  const search = searchText(query.search);
  const sorting = MEMBER_SORTS[findSort(MEMBER_SORTS, query.sort)];
  const pages = readAll(byCursor(sorting), EXPORT_PAGE, (position, limit) =>
    selectMembers(db, organization.id, { search, sorting, position, limit }),
  );
  return writeRows(pages, COLUMNS, format);
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

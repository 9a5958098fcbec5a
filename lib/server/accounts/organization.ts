import type {
  NewOrganizationInput,
  OrganizationProfile,
  OrganizationSettings,
  OwnOrganization,
} from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { type Audience, PAGE_POLICY, type PagePath } from "@/lib/domain/accounts/policy";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { insertMembership, insertOrganization } from "./account-queries";
import { countOwned, lockPerson, selectOwnOrganizations, updateSessionOrganization } from "./member-queries";
import {
  type OwnedObject,
  selectOwnerAmong,
  selectProfile,
  selectSettings,
  updateProfile,
  updateSettings,
} from "./organization-queries";
import { slugTaken, taken } from "./sign-up";

/** Slugs are shared by everyone, so one person can't take hundreds of them. */
const MOST_OWNED = 20;

/** Creates an organization that the person owns, and moves the session to it. Throws NAME_TAKEN or QUOTA_EXCEEDED. */
export async function createOrganization(
  platform: Platform,
  actor: Actor,
  { organizationName: name, organizationSlug: slug }: NewOrganizationInput,
): Promise<{ organizationId: string }> {
  const { userId } = actor;
  return platform.db.transaction(async (tx) => {
    await lockPerson(tx, userId);
    if ((await countOwned(tx, userId)) >= MOST_OWNED)
      throw new Problem(
        "QUOTA_EXCEEDED",
        `You already own ${MOST_OWNED} organizations, the maximum. Leave one first.`,
      );
    const organizationId = await insertOrganization(tx, { slug, name }).catch((error: unknown) => {
      if (sqlStateOf(error) === UNIQUE_VIOLATION) throw taken("organizationSlug", slugTaken(slug));
      throw error;
    });
    await insertMembership(tx, organizationId, userId, "owner");
    await updateSessionOrganization(tx, actor, organizationId);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${userId}`,
      action: "organization.create",
      subject: `organization:${organizationId}`,
      details: { slug },
    });
    return { organizationId };
  });
}

export async function readProfile({ db }: Platform, { organization }: Member): Promise<OrganizationProfile> {
  const profile = await selectProfile(db, organization.id);
  if (profile === undefined) throw new Problem("NOT_FOUND");
  return profile;
}

/** Saving the same profile again changes nothing. */
export async function changeProfile(
  platform: Platform,
  member: Member,
  profile: OrganizationProfile,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await updateProfile(tx, organizationId, profile))) return;
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "organization.change-profile",
      subject: `organization:${organizationId}`,
      details: { ...profile },
    });
  });
}

export async function readSettings(platform: Platform, member: Member): Promise<OrganizationSettings> {
  const settings = await selectSettings(platform.db, member.organization.id);
  if (settings === undefined) throw new Problem("NOT_FOUND");
  return settings;
}

/** Applies to calls from now on. Saving the same settings again changes nothing. */
export async function changeSettings(
  platform: Platform,
  member: Member,
  settings: OrganizationSettings,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await updateSettings(tx, organizationId, settings))) return;
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "organization.change-settings",
      subject: `organization:${organizationId}`,
      details: { ...settings },
    });
  });
}

/** By name. */
export async function listOwnOrganizations({ db }: Platform, { userId }: Actor): Promise<OwnOrganization[]> {
  return selectOwnOrganizations(db, userId);
}

/** From the next request on, the session works in that organization. Throws NOT_FOUND unless the person is a member. */
export async function switchOrganization(
  { db }: Platform,
  actor: Actor,
  organizationId: string,
): Promise<void> {
  if (!(await updateSessionOrganization(db, actor, organizationId)))
    throw new Problem(
      "NOT_FOUND",
      "You are not a member of this organization. Ask one of its owners for an invitation.",
    );
}

/**
 * The organization that a page belongs to, if it is not the one in which the person works now, but one in which they may open the
 * page. For everybody else the page does not exist.
 */
export async function findElsewhere(
  { db }: Platform,
  { userId, organization }: Actor,
  path: PagePath,
  params: Record<string, string>,
): Promise<string | undefined> {
  const audience: Audience = PAGE_POLICY[path];
  const object = toObject(path, params);
  if (typeof audience === "string" || object === undefined) return undefined;
  return selectOwnerAmong(db, { userId, except: organization?.id, roles: audience }, object);
}

function toObject(path: PagePath, params: Record<string, string>): OwnedObject | undefined {
  const { installationId, tenantId, attemptId, app } = params;
  if (installationId !== undefined) return { kind: "installation", id: installationId };
  if (tenantId !== undefined) return { kind: "tenant", id: tenantId };
  if (attemptId !== undefined) return { kind: "attempt", id: attemptId };
  if (app !== undefined && path.startsWith("/publish/")) return { kind: "app", name: app };
  return undefined;
}

import type { OrganizationProfile } from "@/lib/contract/membership";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { selectProfile, updateProfile } from "./queries";

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

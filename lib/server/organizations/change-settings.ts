import type { OrganizationSettings } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { selectSettings, updateSettings } from "./queries";

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

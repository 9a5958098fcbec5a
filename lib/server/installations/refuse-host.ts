import type { HostRefusalInput } from "@/lib/contract/catalog/configuration";
import { Problem } from "@/lib/contract/platform/problem";
import { listOptionalHosts } from "@/lib/domain/catalog/rights";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { deleteRefusal, insertRefusal } from "./host-refusal-queries";
import { lockInstallation } from "./queries";

/**
 * Refuses an optional host to an app for all of the organization's installations of it, or allows it again. The app is told with its next
 * call, and the guard closes the host once every customer of the version refused it. Only for owners. Throws NOT_FOUND, WRONG_STATE,
 * and BAD_INPUT for a host that the version's manifest doesn't have as optional.
 */
export async function refuseHost(
  platform: Platform,
  member: Member,
  installationId: string,
  { host, refused }: HostRefusalInput,
): Promise<void> {
  const { id: organizationId } = member.organization;
  await platform.db.transaction(async (tx) => {
    const { listingId, manifest, number, state } = await lockInstallation(tx, organizationId, installationId);
    if (state === "UNINSTALLED")
      throw new Problem("WRONG_STATE", "The app was uninstalled, so it connects to nothing for you.");
    if (refused && !listOptionalHosts(manifest).some((optional) => optional.host === host))
      throw new Problem(
        "BAD_INPUT",
        `Version ${number} of this app has no optional host with this name. Reload the page to see which hosts you can refuse.`,
      );
    const hasChanged = refused
      ? await insertRefusal(tx, { organizationId, listingId, host, refusedBy: member.userId })
      : await deleteRefusal(tx, { organizationId, listingId, host });
    if (!hasChanged) return;
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: refused ? "host.refuse" : "host.allow",
      subject: `listing:${listingId}`,
      details: { host, installationId },
    });
  });
}

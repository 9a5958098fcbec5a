import type { Recipient } from "@/lib/contract/installation-view";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import { findSubscribers } from "../events/find-subscribers";
import type { Platform } from "../platform/platform";
import { requireInstallation, selectTitles } from "./queries";

/** The recipients of a test event from an installation's page: each webhook of the tenant that subscribes to its type. */
export async function listRecipients(
  platform: Platform,
  member: Member,
  installationId: string,
  type: string,
): Promise<{ recipients: Recipient[] }> {
  const organizationId = member.organization.id;
  const { tenantId } = await requireInstallation(platform.db, organizationId, installationId);
  const testOnly = !mayOperate(member.organization.role, false);
  const found = await findSubscribers(platform.db, tenantId, type, testOnly);
  const titles = await selectTitles(platform.db, organizationId, [
    ...new Set(found.map((subscriber) => subscriber.installationId)),
  ]);
  return {
    recipients: found.map(({ routeId, path, installationId: id, test }) => ({
      routeId,
      path,
      installationId: id,
      title: titles.get(id) ?? "",
      test,
    })),
  };
}

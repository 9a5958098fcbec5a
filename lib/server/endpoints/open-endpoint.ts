import type { EndpointInput } from "@/lib/contract/installation";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { lockOperable } from "./lock-operable";
import { setOpened } from "./queries";

/** Opens a public endpoint of an installation to everyone, or closes it: requests then get a 404. */
export async function openEndpoint(
  platform: Platform,
  member: Member,
  installationId: string,
  routeId: string,
  { open }: EndpointInput,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    await lockOperable(tx, member, installationId);
    const openedAt = open ? new Date() : null;
    if (!isId(routeId) || !(await setOpened(tx, installationId, routeId, openedAt)))
      throw new Problem("NOT_FOUND", "The app has no such public endpoint. Reload the page.");
    await recordAudit(tx, platform.keyring, {
      chain: member.organization.id,
      actor: `user:${member.userId}`,
      action: open ? "endpoint.open" : "endpoint.close",
      subject: `installation:${installationId}`,
      details: { routeId },
    });
  });
}

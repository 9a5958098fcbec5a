import { randomUUID } from "node:crypto";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { routeUrl } from "../calls/route-url";
import type { Platform } from "../platform/platform";
import { lockOperable } from "./lock-operable";
import { setRouteBase } from "./queries";

/**
 * Gives an installation's endpoints another URL. The old one ends at once. The app gets the new one with its next hook.
 */
export async function replaceRouteBase(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<{ routeBase: string }> {
  const organizationId = member.organization.id;
  // Random in every bit: whoever knows the old one learns nothing about it.
  const routeBase = randomUUID();
  await platform.db.transaction(async (tx) => {
    await lockOperable(tx, member, installationId);
    await setRouteBase(tx, organizationId, installationId, routeBase);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "installation.replace-route-base",
      subject: `installation:${installationId}`,
      details: {},
    });
  });
  return { routeBase: routeUrl(platform.environment, routeBase) };
}

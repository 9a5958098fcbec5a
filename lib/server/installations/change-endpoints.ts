import { randomUUID } from "node:crypto";
import type { EndpointInput } from "@/lib/contract/catalog/configuration";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Member } from "@/lib/domain/platform/actor";
import { routeUrl } from "../calls/call-route";
import { setOpened, setRouteBase } from "../calls/endpoint-queries";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { type LockedInstallation, lockInstallation, requireOperator } from "./queries";

/** Opens a public endpoint of an installation to everyone, or closes it: requests then get a 404. */
export async function openEndpoint(
  platform: Platform,
  member: Member,
  installationId: string,
  routeId: string,
  { open }: EndpointInput,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const { trial } = await lockOperable(tx, member, installationId);
    if (trial && open)
      throw new Problem(
        "WRONG_STATE",
        "Public endpoints stay closed in a trial. Launch the app for a tenant to open them.",
      );
    const openedAt = open ? new Date() : null;
    if (!isId(routeId) || !(await setOpened(tx, installationId, routeId, openedAt)))
      throw new Problem("NOT_FOUND", "The app doesn't have this public endpoint. Reload the page.");
    await recordAudit(tx, platform.keyring, {
      chain: member.organization.id,
      actor: `user:${member.userId}`,
      action: open ? "endpoint.open" : "endpoint.close",
      subject: `installation:${installationId}`,
      details: { routeId },
    });
  });
}

/**
 * Gives an installation's endpoints another URL. The old one ends at once. The app gets the new one with its next hook.
 */
export async function replaceRouteBase(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<{ routeBase: string }> {
  const organizationId = member.organization.id;
  // Every bit is random, so the old one reveals nothing about it.
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

/** Locks an installation whose endpoints the member may change. Throws NOT_FOUND, NOT_ALLOWED and WRONG_STATE. */
async function lockOperable(tx: Db, member: Member, installationId: string): Promise<LockedInstallation> {
  const locked = await lockInstallation(tx, member.organization.id, installationId);
  const { state, test } = locked;
  requireOperator(member.organization.role, test, "change the endpoints of a Test Launch");
  if (state === "UNINSTALLING" || state === "UNINSTALLED")
    throw new Problem("WRONG_STATE", "The app was uninstalled, and its endpoints were removed.");
  return locked;
}

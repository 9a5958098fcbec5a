import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../../platform/platform";
import { selectTenants } from "../../tenants/queries";
import { selectInstalled } from "./queries";

/** Where an organization runs a listing, without Test Launches, and whether it has a tenant left to launch it for. */
export async function listInstalledTenants(platform: Platform, member: Member, listingId: string) {
  const [tenants, installed] = await Promise.all([
    selectTenants(platform.db, member.organization.id),
    selectInstalled(platform.db, member.organization.id, listingId, false),
  ]);
  return {
    installed: [...installed.values()].map((id) => ({ id })),
    hasOtherTenant: tenants.some(({ id, sandbox }) => !sandbox && !installed.has(id)),
  };
}

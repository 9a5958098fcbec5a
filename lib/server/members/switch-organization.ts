import type { OwnOrganization } from "@/lib/contract/membership";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { selectOwnOrganizations, updateSessionOrganization } from "./queries";

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

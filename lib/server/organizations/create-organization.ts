import type { NewOrganizationInput } from "@/lib/contract/membership";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import { insertMembership, insertOrganization } from "../identity/queries";
import { slugTaken, taken } from "../identity/sign-up";
import type { Platform } from "../platform/platform";
import { countOwned, lockPerson, updateSessionOrganization } from "../members/queries";

/** Slugs are for everybody, so nobody gets hundreds of them. */
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

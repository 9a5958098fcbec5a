/** Pilots: customers that a publisher names to run versions before their review. The rule is in `lib/domain/catalog/access.ts`. */
import type { PilotsInput } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import * as queries from "./access-queries";
import { lockChangeable, nameOrganizations } from "./visibility";

/** By slug. */
export async function readPilots({ db }: Platform, listingId: string) {
  const pilots = await queries.selectNamed(db, listingId, "PILOT");
  return pilots.map(({ slug, name }) => ({ slug, name }));
}

/**
 * Makes exactly these organizations pilots, and notifies new ones. Throws NOT_FOUND for a listing of another organization, WRONG_STATE for
 * one that was never verified or is retired, and BAD_INPUT for names of no organization.
 */
export async function changePilots(
  platform: Platform,
  member: Member,
  listingId: string,
  { organizations }: PilotsInput,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const listing = await lockChangeable(tx, member, listingId);
    if (listing.state === "DRAFT")
      throw new Problem(
        "WRONG_STATE",
        "Only an app that a moderator verified once can have pilots. Submit a version for review first.",
      );
    const changed = await nameOrganizations(tx, member, listingId, "PILOT", organizations);
    if (changed.added.length + changed.removed.length === 0) return;
    const added = new Set(changed.added);
    for (const { id, slug } of await queries.selectNamed(tx, listingId, "PILOT"))
      if (added.has(slug))
        await notify(tx, {
          kind: "pilot",
          to: { organizationId: id, roles: ["owner", "operator"] },
          title: `Your organization is a pilot of ${listing.title}`,
          body: "You can run versions before their review if you agree to each one. You can leave the pilot at any time.",
          href: `/marketplace/${member.organization.slug}/${listing.appName}`,
        });
    await recordAudit(tx, platform.keyring, {
      chain: listing.organizationId,
      actor: `user:${member.userId}`,
      action: "listing.change-pilots",
      subject: `listing:${listingId}`,
      details: { ...changed },
    });
  });
}

/**
 * Ends the pilot for the member's organization. What runs goes on. Both trails record it, and the publisher is notified. Throws NOT_FOUND if
 * it is no pilot.
 */
export async function leavePilot(platform: Platform, member: Member, listingId: string): Promise<void> {
  const { organization } = member;
  await platform.db.transaction(async (tx) => {
    const listing = await queries.lockPiloted(tx, listingId, organization.id);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    await queries.deleteNamed(tx, listingId, "PILOT", [organization.id]);
    await notify(tx, {
      kind: "pilot",
      to: { organizationId: listing.organizationId, roles: ["owner", "publisher"] },
      title: `${organization.name} left the pilot of ${listing.title}`,
      href: `/publish/${listing.appName}/settings`,
      subject: `pilot:${listingId}:${organization.id}`,
    });
    // Trails are locked in one order, so that two transactions don't wait for each other.
    for (const chain of [organization.id, listing.organizationId].sort())
      await recordAudit(tx, platform.keyring, {
        chain,
        // The publisher learns which organization left, and not who decided it.
        actor: chain === organization.id ? `user:${member.userId}` : "platform",
        action: "listing.leave-pilot",
        subject: `listing:${listingId}`,
        details: { organization: organization.slug },
      });
  });
}

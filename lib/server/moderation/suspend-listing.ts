import type { SuspensionInput } from "@/lib/contract/moderation/review";
import { Problem } from "@/lib/contract/platform/problem";
import {
  type ModerationCommand,
  stateAfterModeration,
  stateAfterRetirement,
} from "@/lib/domain/catalog/listing";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import { moveListing, selectOwnText } from "../catalog/listing-queries";
import { failUpgrade } from "../installations/upgrade-installation";
import type { Db } from "../platform/database/connect";
import { notifyWorker } from "../platform/database/work-channel";
import { notify } from "../platform/notifications/notify";
import type { Platform } from "../platform/platform";
import { type AuditEntry, recordAudit } from "../platform/record-audit";
import { refuseOwn } from "./decide-review";
import { endReview, tellOfWithdrawal } from "./end-review";
import { withdrawPendingReviews } from "./review-queries";
import * as queries from "./suspension-queries";
import { selectCustomers } from "./suspension-queries";

/**
 * Takes a public listing out of the marketplace: nobody can launch it or upgrade to its versions. What runs keeps running,
 * unless the moderator stops it too; then customers can't start it before it is reinstated. Throws NOT_FOUND, NOT_ALLOWED
 * (the moderator's own organization) or WRONG_STATE.
 */
export async function suspendListing(
  platform: Platform,
  moderator: Actor,
  listingId: string,
  { reason, stopInstallations }: SuspensionInput,
): Promise<{ stopped: number }> {
  return platform.db.transaction(async (tx) => {
    const listing = await moveByModerator(platform, tx, moderator, listingId, "suspend");
    const suspensionId = await queries.insertSuspension(tx, {
      listingId,
      reason,
      suspendedBy: moderator.userId,
      stopsInstallations: stopInstallations,
    });
    const stopped = stopInstallations ? await stopAll(platform, tx, listingId, suspensionId) : [];
    const isStopped = new Set(stopped.map(({ organizationId }) => organizationId));
    await tellOfListing(tx, listing, (customer) => ({
      title: `${listing.title} was suspended`,
      body: isStopped.has(customer) ? `Your installations were stopped. ${reason}` : reason,
    }));
    await recordByChain(platform, tx, [
      {
        chain: listing.organizationId,
        actor: `user:${moderator.userId}`,
        action: "listing.suspend",
        subject: `listing:${listingId}`,
        details: { suspensionId, reason, stopInstallations },
      },
      ...[...isStopped].map((organizationId): AuditEntry => ({
        chain: organizationId,
        actor: `user:${moderator.userId}`,
        action: "installation.suspend",
        subject: `listing:${listingId}`,
        details: {
          suspensionId,
          installations: stopped.filter((one) => one.organizationId === organizationId).map(({ id }) => id),
        },
      })),
    ]);
    return { stopped: stopped.length };
  });
}

async function stopAll(platform: Platform, tx: Db, listingId: string, suspensionId: string) {
  const stopped = await queries.stopRunning(tx, listingId);
  for (const { id, organizationId } of stopped.filter(({ upgrading }) => upgrading))
    await failUpgrade(platform, tx, { id, organizationId }, "A moderator suspended and stopped the app.");
  await queries.noteStopped(
    tx,
    suspensionId,
    stopped.map(({ id }) => id),
  );
  await notifyWorker(tx);
  return stopped;
}

/**
 * Brings a suspended listing back. Installations that were stopped stay stopped until their customers start them: returns
 * how many that are. Throws NOT_FOUND, NOT_ALLOWED or WRONG_STATE.
 */
export async function reinstateListing(
  platform: Platform,
  moderator: Actor,
  listingId: string,
): Promise<{ stillStopped: number }> {
  return platform.db.transaction(async (tx) => {
    const listing = await moveByModerator(platform, tx, moderator, listingId, "reinstate");
    const ended = await queries.endSuspension(tx, listingId, moderator.userId);
    const still = await queries.selectStillStopped(tx, ended?.stopped ?? []);
    const waiting = new Set(still.map(({ organizationId }) => organizationId));
    await tellOfListing(tx, listing, (customer) => ({
      title: `${listing.title} is available again`,
      body: waiting.has(customer)
        ? "Your installations are still stopped. Start them when you are ready."
        : "",
    }));
    await recordByChain(platform, tx, [
      {
        chain: listing.organizationId,
        actor: `user:${moderator.userId}`,
        action: "listing.reinstate",
        subject: `listing:${listingId}`,
        details: { suspensionId: ended?.id ?? null, stillStopped: still.length },
      },
    ]);
    return { stillStopped: still.length };
  });
}

/** Moves the listing and returns it as it was. The first statement that locks: launches wait for it. */
async function moveByModerator(
  platform: Platform,
  tx: Db,
  moderator: Actor,
  listingId: string,
  command: ModerationCommand,
) {
  const listing = await queries.selectListing(tx, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  await refuseOwn(platform, moderator, listing.organizationId);
  const next = stateAfterModeration(listing.state, command);
  if (next === undefined)
    throw new Problem(
      "WRONG_STATE",
      `You can't ${command} a ${listing.state.toLowerCase()} listing. Reload the page to see what you can do.`,
    );
  if (!(await moveListing(tx, listingId, listing.state, next)))
    throw new Problem(
      "WRONG_STATE",
      "The listing changed in the meantime. Reload the page to see its state.",
    );
  return listing;
}

/** Trails are locked in one order, so that two suspensions with the same customers don't wait for each other forever. */
async function recordByChain(platform: Platform, tx: Db, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries.toSorted((one, other) => (one.chain < other.chain ? -1 : 1)))
    await recordAudit(tx, platform.keyring, entry);
}

/**
 * Removes a listing from the marketplace permanently. Installations keep running, nobody can launch it again, and its reviews
 * are withdrawn. Throws NOT_FOUND for other organizations, WRONG_STATE if it is retired already.
 */
export async function retireListing(platform: Platform, member: Member, listingId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    const next = stateAfterRetirement(listing.state);
    if (next === undefined || !(await moveListing(tx, listingId, listing.state, next)))
      throw new Problem("WRONG_STATE", "This listing is already retired. Reload the page.");
    const withdrawn = await withdrawPendingReviews(tx, listingId);
    for (const { id, version } of withdrawn) {
      await endReview(platform, tx, { id, listingId, version });
      await tellOfWithdrawal(
        tx,
        member,
        { id, title: listing.text.title, version },
        "The listing was retired.",
      );
    }
    await tellOfListing(
      tx,
      { id: listingId, organizationId, appName: listing.appName },
      (organization) => ({
        title: `${listing.text.title} was retired`,
        body:
          organization === organizationId
            ? "Nobody can launch it anymore. Installations keep running."
            : "Your installations keep running. The app gets no new versions, and nobody can launch it again.",
      }),
      member.userId,
    );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "listing.retire",
      subject: `listing:${listingId}`,
      details: { from: listing.state, withdrawn: withdrawn.map(({ id }) => id) },
    });
  });
}

interface Listing {
  id: string;
  organizationId: string;
  appName: string;
}

/** Notifies the publisher and each customer, with separate texts, of a suspension, its end, or a retirement. */
async function tellOfListing(
  tx: Db,
  { id, organizationId, appName }: Listing,
  write: (organizationId: string) => { title: string; body: string },
  except?: string,
): Promise<void> {
  const common = { kind: "suspension", subject: `listing:${id}` } as const;
  await notify(tx, {
    ...common,
    ...write(organizationId),
    to: { organizationId, roles: ["owner", "publisher"], except },
    href: `/publish/${appName}`,
  });
  const customers = await selectCustomers(tx, id);
  for (const customer of customers.filter((each) => each !== organizationId).sort())
    await notify(tx, {
      ...common,
      ...write(customer),
      to: { organizationId: customer },
      href: `/installations?${new URLSearchParams({ q: appName })}`,
    });
}

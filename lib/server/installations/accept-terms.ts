/**
 * Acceptance of a publisher's terms: at a launch, at an upgrade, and by itself. Each is a row that never changes. Nothing accepts terms
 * for a customer, and an installation whose terms changed keeps running: docs/decisions/057-terms-and-trust.md says why.
 */
import type { Terms } from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import { mayOperate } from "@/lib/domain/calls/installation";
import { findAskedTerms, findNewTerms, isSameTerms, TERMS_NOT_ACCEPTED } from "@/lib/domain/catalog/terms";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { lockInstallation, type LockedInstallation } from "./queries";
import { insertAcceptance, lockTerms, selectAcceptances } from "./terms-queries";

/** Throws BAD_INPUT if nothing was accepted, and TERMS_CHANGED if other terms were. */
export function requireAccepted(asked: Terms | undefined, given: Terms | undefined): void {
  if (asked === undefined) return;
  if (given === undefined)
    throw new Problem("BAD_INPUT", "The publisher's terms are not accepted yet.", [TERMS_NOT_ACCEPTED]);
  if (isSameTerms(asked, given)) return;
  throw new Problem(
    "TERMS_CHANGED",
    `You accepted version ${given.version}, and the publisher now has version ${asked.version} (${asked.url}). Nothing was changed. Read the new terms, accept them, and try again.`,
  );
}

interface Acceptance {
  installationId: string;
  listingId: string;
  terms: Terms;
}

export async function recordAcceptance(
  platform: Platform,
  tx: Db,
  member: Member,
  { installationId, listingId, terms: { url, version } }: Acceptance,
): Promise<void> {
  const organizationId = member.organization.id;
  const acceptedBy = member.userId;
  const { id } = await insertAcceptance(tx, {
    ...{ organizationId, listingId, installationId, acceptedBy },
    ...{ url, version },
  });
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: "terms.accept",
    subject: `installation:${installationId}`,
    details: { acceptanceId: id, listingId, url, version },
  });
}

/** The terms that a locked installation has not accepted yet; undefined if there are none. */
export async function lockNewTerms(tx: Db, locked: LockedInstallation): Promise<Terms | undefined> {
  const { accepted, ...offered } = await lockTerms(tx, locked);
  return findNewTerms(findAskedTerms(offered, locked), accepted);
}

/**
 * Accepts the new terms of an installation's app. Accepting what was accepted already changes nothing. Throws NOT_FOUND, NOT_ALLOWED,
 * WRONG_STATE and TERMS_CHANGED.
 */
export async function acceptTerms(
  platform: Platform,
  member: Member,
  installationId: string,
  given: Terms,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const locked = await lockInstallation(tx, member.organization.id, installationId);
    if (!mayOperate(member.organization.role, locked.test))
      throw new Problem(
        "NOT_ALLOWED",
        "Publishers can't accept terms for your organization. Ask an operator or an owner.",
      );
    if (locked.state === "UNINSTALLING" || locked.state === "UNINSTALLED")
      throw new Problem("WRONG_STATE", "This installation was uninstalled, so there is nothing to accept.");
    const { accepted, ...offered } = await lockTerms(tx, locked);
    const asked = findAskedTerms(offered, locked);
    if (asked === undefined)
      throw new Problem("WRONG_STATE", "The publisher has no terms to accept. Reload the page.");
    requireAccepted(asked, given);
    if (findNewTerms(asked, accepted) === undefined) return;
    const { listingId } = locked;
    await recordAcceptance(platform, tx, member, { installationId, listingId, terms: asked });
  });
}

const SHOWN_ACCEPTANCES = 20;

/** What the organization accepted for an installation, newest first. The audit trail has all. */
export async function listAcceptances({ db }: Platform, member: Member, installationId: string) {
  const rows = await selectAcceptances(db, member.organization.id, installationId, SHOWN_ACCEPTANCES);
  return {
    acceptances: rows.map(({ acceptedAt, total: _total, ...row }) => ({
      ...row,
      acceptedAt: acceptedAt.toISOString(),
    })),
    more: (rows[0]?.total ?? 0) - rows.length,
  };
}

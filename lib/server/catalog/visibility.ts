/** Who sees a listing while it is public: what its publisher sets, and what launches ask. The rule is in `lib/domain/catalog/access.ts`. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ListingVisibility, NamedFor, VisibilityInput } from "@/lib/contract/catalog/listing";
import { type Issue, pointerTo, Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { openSetting, sealSetting, type SettingPlace } from "../platform/data-key";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import * as queries from "./access-queries";

/** The token of its link is sealed like a setting, with the listing where settings name their installation. */
function linkPlace({ id, organizationId }: { id: string; organizationId: string }): SettingPlace {
  return { organizationId, installationId: id, name: "listing-link" };
}

/** Whether the listing is shown by link, and this is the token of its current one. Takes the same time for each wrong one. */
export function opensLink(
  { visibility, linkHash }: { visibility: ListingVisibility; linkHash: string | null },
  token: string | undefined,
): boolean {
  if (visibility !== "LINK" || linkHash === null || token === undefined) return false;
  return timingSafeEqual(Buffer.from(hashToken(token), "hex"), Buffer.from(linkHash, "hex"));
}

/** What is kept of a token: it opens nothing, and says later whether it is still the one of the listing's link. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");

/** The token of the listing's link for those who had it before, unless the link was renewed since. @param hash of the token that they had */
export async function reopenLink(
  platform: Platform,
  listingId: string,
  hash: string,
): Promise<string | undefined> {
  const { db } = platform;
  const offer = await queries.selectOffer(db, listingId);
  if (offer?.visibility !== "LINK" || offer.linkSealed === null || offer.linkHash !== hash) return undefined;
  const place = linkPlace({ id: listingId, organizationId: offer.organizationId });
  return openSetting(platform, db, place, offer.linkSealed);
}

interface OwnListing {
  id: string;
  organizationId: string;
  organizationSlug: string;
  appName: string;
}

/** What the listing's settings show its publisher. */
export async function readVisibility(platform: Platform, listing: OwnListing) {
  const { db, environment } = platform;
  const [offer, organizations] = await Promise.all([
    queries.selectOffer(db, listing.id),
    queries.selectNamed(db, listing.id, "VIEW"),
  ]);
  const { visibility = "EVERYONE", linkSealed = null } = offer ?? {};
  const token =
    linkSealed === null ? undefined : await openSetting(platform, db, linkPlace(listing), linkSealed);
  const path = `/marketplace/${listing.organizationSlug}/${listing.appName}`;
  return {
    visibility,
    /** The address that shows it, once there is a token. */
    link:
      token && new URL(`${path}?${new URLSearchParams({ link: token })}`, environment.PLATFORM_WEB_URL).href,
    organizations: organizations.map(({ slug, name }) => ({ slug, name })),
  };
}

/**
 * Sets who sees the listing. What is installed stays. Throws NOT_FOUND for a listing of another organization, WRONG_STATE for a retired
 * one, and BAD_INPUT for names of no organization.
 */
export async function changeVisibility(
  platform: Platform,
  member: Member,
  listingId: string,
  { visibility, organizations }: VisibilityInput,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const listing = await lockChangeable(tx, member, listingId);
    const changed =
      organizations === undefined
        ? { added: [], removed: [] }
        : await nameOrganizations(tx, member, listingId, "VIEW", organizations);
    const link =
      visibility === "LINK" && listing.linkSealed === null
        ? await sealLink(platform, tx, listing)
        : undefined;
    const isSame = visibility === listing.visibility && changed.added.length + changed.removed.length === 0;
    if (isSame && link === undefined) return;
    await queries.updateOffer(tx, listingId, { visibility, ...link });
    await recordAudit(tx, platform.keyring, {
      chain: listing.organizationId,
      actor: `user:${member.userId}`,
      action: "listing.change-visibility",
      subject: `listing:${listingId}`,
      details: { from: listing.visibility, to: visibility, ...changed },
    });
  });
}

/** From now on, only the new link shows the listing. Throws what `changeVisibility` throws. */
export async function renewLink(platform: Platform, member: Member, listingId: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const listing = await lockChangeable(tx, member, listingId);
    if (listing.visibility !== "LINK")
      throw new Problem("WRONG_STATE", "This app is not shown by link. Choose “By link” first, and save.");
    await queries.updateOffer(tx, listingId, await sealLink(platform, tx, listing));
    await recordAudit(tx, platform.keyring, {
      chain: listing.organizationId,
      actor: `user:${member.userId}`,
      action: "listing.renew-link",
      subject: `listing:${listingId}`,
      details: {},
    });
  });
}

async function sealLink(platform: Platform, tx: Db, listing: { id: string; organizationId: string }) {
  const token = randomBytes(32).toString("base64url");
  const linkSealed = await sealSetting(platform, tx, linkPlace(listing), token);
  return { linkSealed, linkHash: hashToken(token) };
}

export async function lockChangeable(tx: Db, member: Member, listingId: string) {
  const listing = await queries.lockOffer(tx, member.organization.id, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  if (listing.state === "RETIRED")
    throw new Problem("WRONG_STATE", "This listing is retired, so nobody sees it. Reload the page.");
  return listing;
}

/** Makes exactly these the named ones, for seeing the listing or as pilots. The publisher's own organization needs no name. Call it with the listing locked. */
export async function nameOrganizations(
  tx: Db,
  { organization }: Member,
  listingId: string,
  namedFor: NamedFor,
  slugs: readonly string[],
): Promise<{ added: string[]; removed: string[] }> {
  const wanted = new Set(slugs);
  const found = await queries.selectOrganizations(tx, [...wanted]);
  const known = new Set(found.map(({ slug }) => slug));
  const issues = slugs.flatMap((slug, at): Issue[] =>
    known.has(slug)
      ? []
      : [
          {
            code: "WRONG_VALUE",
            pointer: pointerTo("organizations", String(at)),
            message: `There is no organization with the slug “${slug}”. Ask the customer for it: it is on the Settings page of their organization.`,
          },
        ],
  );
  if (issues.length > 0)
    throw new Problem(
      "BAD_INPUT",
      issues
        .map(({ message }) => message)
        .slice(0, 3)
        .join(" "),
      issues,
    );
  const before = await queries.selectNamed(tx, listingId, namedFor);
  const had = new Set(before.map(({ id }) => id));
  const others = found.filter(({ id }) => id !== organization.id);
  const added = others.filter(({ id }) => !had.has(id));
  const removed = before.filter(({ slug }) => !wanted.has(slug));
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  await queries.insertNamed(tx, listingId, namedFor, ids(added));
  await queries.deleteNamed(tx, listingId, namedFor, ids(removed));
  return { added: added.map(({ slug }) => slug).sort(), removed: removed.map(({ slug }) => slug) };
}

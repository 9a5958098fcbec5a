import {
  type ListingDraft,
  listingText,
  type ListingText,
  type SavedText,
  type SaveTextInput,
} from "@/lib/contract/catalog/listing";
import { Problem } from "@/lib/contract/platform/problem";
import { listPictures } from "@/lib/domain/catalog/listing-text";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { type Member, type Publisher, toPublisher } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { requireOwnApp } from "./accept-manifest";
import {
  applyListingText,
  selectOwnListing,
  selectOwnText,
  selectTextDraft,
  selectTextReview,
  writeReleaseNotes,
  writeTextDraft,
} from "./listing-queries";
import { renewImages } from "./picture-queries";
import { findListing, requireOpen } from "./store-version";
import { hasVersion, selectNewestVersion, selectVersionId } from "./version-queries";

/** The data of the listing editor. NOT_FOUND for other organizations. */
export async function readTextEditor({ db, environment }: Platform, member: Member, appName: string) {
  const listing = await selectOwnListing(db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const { title, tagline, category, about, requirements, links, terms, privacy, icon, screenshots } = listing;
  const named = { title, tagline, category, about, requirements };
  const publicText = { ...named, links, terms, privacy, icon, screenshots };
  const [draft, review, newest] = await Promise.all([
    loadTextDraft(db, listing.id, publicText),
    selectTextReview(db, listing.id),
    selectNewestVersion(db, listing.id),
  ]);
  const { PLATFORM_PERMISSIONS: known } = environment;
  const issues = newest === undefined ? [] : checkManifest(newest.manifestText, known).issues;
  return {
    listing,
    publicText,
    draft,
    review,
    manifest: newest?.manifest,
    warnings: issues.filter(({ severity }) => severity === "warning").length,
  };
}

/** NOT_FOUND for other organizations. */
export async function readTextDraft(
  { db }: Platform,
  member: Member,
  listingId: string,
): Promise<ListingDraft> {
  const listing = await selectOwnText(db, member.organization.id, listingId);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  return loadTextDraft(db, listingId, listing.text);
}

/** The saved draft, or the text of the listing that a first draft starts from. */
async function loadTextDraft(db: Db, listingId: string, text: ListingDraft["text"]): Promise<ListingDraft> {
  const draft = await selectTextDraft(db, listingId);
  if (draft === undefined) return { text, revision: 0, updatedAt: null, updatedBy: null };
  return { ...draft, updatedAt: draft.updatedAt.toISOString() };
}

/**
 * Saves what was typed, valid or not. A valid text of a draft listing is live at once; that of a public one once its review
 * is approved. Throws NOT_FOUND, WRONG_STATE for a retired listing, STALE_REVISION, BAD_INPUT for unknown pictures.
 */
export async function saveText(
  platform: Platform,
  member: Member,
  listingId: string,
  { text, revision }: SaveTextInput,
): Promise<SavedText> {
  const organizationId = member.organization.id;
  return platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    requireOpen(listing.state);
    const before = await selectTextDraft(tx, listingId);
    // A save that is repeated because its response was lost finds its own text.
    if (before !== undefined && before.revision !== revision && isSame(before.text, text))
      return describe(before);
    await requirePictures(tx, organizationId, listPictures(text), listPictures(before?.text ?? listing.text));
    const written = await writeTextDraft(
      tx,
      { listingId, text, updatedBy: `user:${member.userId}` },
      revision,
    );
    if (written === undefined) throw stale(before);
    const valid = listingText.safeParse(text);
    if (listing.state === "DRAFT" && valid.success) await applyListingText(tx, listingId, valid.data);
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "listing-draft.save",
      subject: `listing:${listingId}`,
      details: { revision: written.revision, live: listing.state === "DRAFT" && valid.success },
    });
    return describe({ ...written, updatedBy: member.name });
  });
}

function describe(draft: { revision: number; updatedAt: Date; updatedBy: string | null }): SavedText {
  const { revision, updatedAt, updatedBy } = draft;
  return { revision, updatedAt: updatedAt.toISOString(), updatedBy };
}

/** PostgreSQL returns the members in another order. */
function isSame(one: ListingText, other: ListingText): boolean {
  const sorted = (text: ListingText) =>
    JSON.stringify(text, (_name, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  return sorted(one) === sorted(other);
}

/** Pictures that are new in the text must belong to the organization, and can't be removed while the text is saved. */
async function requirePictures(
  tx: Db,
  organizationId: string,
  shown: string[],
  before: string[],
): Promise<void> {
  const added = shown.filter((digest) => !before.includes(digest));
  const found = await renewImages(tx, organizationId, added);
  if (found.length === added.length) return;
  throw new Problem("BAD_INPUT", "A picture of this text is no longer stored. Upload it again.");
}

function stale(draft: Awaited<ReturnType<typeof selectTextDraft>>): Problem {
  const by = draft?.updatedBy ?? "Someone else";
  return new Problem(
    "STALE_REVISION",
    `${by} saved this listing after you loaded it. Your changes were not saved. Compare both texts, then choose one or merge them.`,
  );
}

/**
 * Saves the release notes of a version, until it is submitted for review. Throws NOT_FOUND, or WRONG_STATE for a
 * version that is verified or in review.
 */
export function editReleaseNotes(
  platform: Platform,
  member: Member,
  listingId: string,
  versionId: string,
  notes: string,
): Promise<void> {
  return writeNotes(platform, toPublisher(member), listingId, versionId, notes);
}

/** The same from the command line. @param appName `<org-name>/<app-name>` */
export async function writeNotesOfNumber(
  platform: Platform,
  publisher: Publisher,
  appName: string,
  number: string,
  notes: string,
): Promise<void> {
  const { name, app } = requireOwnApp(publisher, appName);
  const { id } = await findListing(platform, publisher, app);
  const versionId = await selectVersionId(platform.db, id, number);
  if (versionId === undefined)
    throw new Problem(
      "NOT_FOUND",
      `${name} has no version ${number}. Publish it first, or check the number.`,
    );
  await writeNotes(platform, publisher, id, versionId, notes);
}

async function writeNotes(
  platform: Platform,
  { organizationId, actor }: Publisher,
  listingId: string,
  versionId: string,
  notes: string,
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined || !(await hasVersion(tx, listingId, versionId)))
      throw new Problem("NOT_FOUND");
    if (!(await writeReleaseNotes(tx, organizationId, listingId, versionId, notes)))
      throw new Problem(
        "WRONG_STATE",
        "These release notes were submitted for review and can't be changed. Withdraw the review to change them. Release notes of a verified version are final.",
      );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor,
      action: "version.edit-notes",
      subject: `version:${versionId}`,
      details: { listingId, characters: notes.length },
    });
  });
}

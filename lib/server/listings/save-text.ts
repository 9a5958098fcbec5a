import { listingText, type ListingText } from "@/lib/contract/listing";
import type { SavedText, SaveTextInput } from "@/lib/contract/listing-draft";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { listPictures } from "@/lib/domain/listing-text";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { renewImages } from "../images/queries";
import type { Platform } from "../platform/platform";
import { requireOpen } from "../versions/store-version";
import { applyListingText } from "./queries";
import { selectOwnText, selectTextDraft, writeTextDraft } from "./text-queries";

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

/** Pictures that the text shows anew must be the organization's own, and stay while the text is saved. */
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

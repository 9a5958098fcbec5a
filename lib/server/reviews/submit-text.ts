import { listingText, type ListingText } from "@/lib/contract/listing";
import type { SubmitTextInput } from "@/lib/contract/listing-draft";
import { checkInput } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { checkListing } from "@/lib/domain/listing-checklist";
import { compareTexts } from "@/lib/domain/listing-text";
import { selectOwnText, selectTextDraft } from "../listings/text-queries";
import type { Platform } from "../platform/platform";
import { openReview } from "./open-review";

/**
 * Submits the saved text of a listing that was public for a review of only the text. Throws NOT_FOUND, WRONG_STATE,
 * STALE_REVISION, or BAD_INPUT with every issue of the text.
 */
export async function submitText(
  platform: Platform,
  member: Member,
  listingId: string,
  { revision, note }: SubmitTextInput,
): Promise<{ reviewId: string }> {
  const organizationId = member.organization.id;
  return platform.db.transaction(async (tx) => {
    const listing = await selectOwnText(tx, organizationId, listingId, true);
    if (listing === undefined) throw new Problem("NOT_FOUND");
    if (listing.state !== "PUBLIC" && listing.state !== "SUSPENDED") throw notAlone(listing.state);
    const draft = await selectTextDraft(tx, listingId);
    if (draft?.revision !== revision)
      throw new Problem(
        "STALE_REVISION",
        "The text changed after you loaded it. Reload the page, check the text, then submit it.",
      );
    const text = requireComplete(checkInput(listingText, draft.text));
    if (compareTexts(listing.text, text).length === 0)
      throw new Problem("WRONG_STATE", "This text is already public. Change something, then submit it.");
    const reviewId = await openReview(tx, platform, member, {
      listingId,
      kind: "TEXT",
      versionId: null,
      note,
      text,
      subject: `a change to the text of ${listing.text.title}`,
      taken: "A change to this text is already in review. Withdraw it, or wait for the decision.",
      details: { kind: "TEXT", revision },
    });
    return { reviewId };
  });
}

/** Refuses a text without what every listing needs. */
export function requireComplete(text: ListingText): ListingText {
  const issues = checkListing({ text, hasVersion: true, warnings: 0 }).flatMap((item) =>
    item.isRequired && !item.isDone && "field" in item.at
      ? [
          {
            code: "missing" as const,
            pointer: `/${item.at.field.replace(".", "/")}`,
            message: `Missing: ${item.title}.`,
          },
        ]
      : [],
  );
  if (issues.length > 0) throw new Problem("BAD_INPUT", "The listing's text is not complete.", issues);
  return text;
}

function notAlone(state: "DRAFT" | "RETIRED"): Problem {
  return new Problem(
    "WRONG_STATE",
    state === "DRAFT"
      ? "You can't submit only the text of a draft listing. Submit a version: its review includes the text."
      : "The text of a retired listing can't change. Create another listing instead.",
  );
}

import { listingText, type ListingText } from "@/lib/contract/listing";
import type { SubmitTextInput } from "@/lib/contract/listing-draft";
import { checkInput } from "@/lib/contract/parse-json";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { checkListing } from "@/lib/domain/listing-checklist";
import { compareTexts } from "@/lib/domain/listing-text";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import { selectOwnText, selectTextDraft } from "../listings/text-queries";
import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { insertReview } from "./queries";

/**
 * Submits the saved text of a listing that was public for a review of the text alone. Throws NOT_FOUND, WRONG_STATE, STALE_REVISION,
 * or BAD_INPUT with every issue of the text.
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
    if (listing.state !== "PUBLIC" && listing.state !== "SUSPENDED")
      throw new Problem(
        "WRONG_STATE",
        `The text of a ${listing.state.toLowerCase()} listing isn't reviewed on its own.`,
      );
    const draft = await selectTextDraft(tx, listingId);
    if (draft?.revision !== revision)
      throw new Problem(
        "STALE_REVISION",
        "The text was saved again after you loaded it. Look at it, then submit it.",
      );
    const text = requireComplete(checkInput(listingText, draft.text));
    if (compareTexts(listing.text, text).length === 0)
      throw new Problem("WRONG_STATE", "This text is public already. Change something, then submit it.");
    const row = {
      ...{ listingId, kind: "TEXT" as const, text },
      submissionNote: note,
      submittedBy: member.userId,
    };
    const reviewId = await insertReview(tx, row).catch((error: unknown) => {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      const detail = "A change of this text is in review already. Withdraw it, or wait for the decision.";
      throw new Problem("WRONG_STATE", detail);
    });
    await notify(tx, {
      kind: "review-submitted",
      to: { moderators: true },
      title: `${member.organization.name} submitted a change of the text of ${listing.text.title}`,
      body: note,
      href: `/moderation/${reviewId}`,
      subject: `review:${reviewId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "review.submit",
      subject: `review:${reviewId}`,
      details: { listingId, kind: "TEXT", revision },
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
            code: "missing",
            pointer: `/${item.at.field.replace(".", "/")}`,
            message: `Missing: ${item.title}.`,
          },
        ]
      : [],
  );
  if (issues.length > 0) throw new Problem("BAD_INPUT", "The listing's text is not complete.", issues);
  return text;
}

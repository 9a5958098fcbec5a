import { toPublisher, type Actor, type Member } from "@/lib/domain/actor";
import { readTextDraft } from "../listings/read-text";
import { saveText } from "../listings/save-text";
import { readDraft } from "../manifest-drafts/read-draft";
import { releaseManifest } from "../manifest-drafts/release-manifest";
import { saveDraft } from "../manifest-drafts/save-draft";
import type { Platform } from "../platform/platform";
import { decideReview } from "../reviews/decide-review";
import { submitText } from "../reviews/submit-text";
import { verifyNewest } from "./offer-app";
import { storePictures } from "./offer-catalog";
import { selectListing } from "./queries";

/** Adds icon and screenshots to a public listing, by a review of its text. Nothing happens if somebody has edited the text. */
export async function showPictures(
  platform: Platform,
  publisher: Member,
  moderator: Actor,
  app: { appName: string; captions: readonly string[] },
  picturesFolder: string,
): Promise<void> {
  const listing = await selectListing(platform.db, publisher.organization.id, app.appName);
  if (listing === undefined) return;
  const draft = await readTextDraft(platform, publisher, listing.id);
  if (draft.revision > 0) return;
  const text = { ...draft.text, ...(await storePictures(platform, publisher, picturesFolder, app)) };
  const { revision } = await saveText(platform, publisher, listing.id, { text, revision: draft.revision });
  const note = "Adds the icon and screenshots.";
  const { reviewId } = await submitText(platform, publisher, listing.id, { revision, note });
  await decideReview(platform, moderator, reviewId, { decision: "approve", note: "" });
}

const UPGRADED = {
  appName: "telematics-rater",
  number: "1.1.0",
  notes: "- Explains the price factor where it is entered\n- The discount of partners can be left empty",
};

/** Releases and verifies another version of an app that is running, so that its customers can upgrade. */
export async function releaseUpgrade(platform: Platform, member: Member, moderator: Actor): Promise<void> {
  const publisher = toPublisher(member);
  const listing = await selectListing(platform.db, member.organization.id, UPGRADED.appName);
  if (listing === undefined) return;
  if (listing.verifiedAt === null)
    return verifyNewest(platform, member, moderator, UPGRADED.appName, { releaseNotes: UPGRADED.notes });
  const draft = await readDraft(platform, publisher, listing.id);
  const text = draft.text
    .replace('"version": "1.0.0"', `"version": "${UPGRADED.number}"`)
    .replace("Multiplies the base price, such as 1.15", "Multiplies the base price: 1.15 adds 15 percent")
    .replace("As agreed with us. Never shown again.", "As agreed with us, or empty. Never shown again.");
  if (text === draft.text) return;
  const { revision, baseVersionId } = draft;
  const saved = await saveDraft(platform, publisher, listing.id, { text, revision, baseVersionId });
  await releaseManifest(platform, publisher, listing.id, { revision: saved.revision, notes: UPGRADED.notes });
  await verifyNewest(platform, member, moderator, UPGRADED.appName);
}

/** A change of a manifest that its publisher has not released. */
export async function beginDraft(platform: Platform, member: Member): Promise<void> {
  const publisher = toPublisher(member);
  const listing = await selectListing(platform.db, member.organization.id, "renewal-reminders");
  if (listing === undefined) return;
  const { revision, baseVersionId, ...draft } = await readDraft(platform, publisher, listing.id);
  const text = draft.text.replace('"30 days before"', '"A month before"');
  if (revision > 0 || text === draft.text) return;
  await saveDraft(platform, publisher, listing.id, { text, revision, baseVersionId });
}

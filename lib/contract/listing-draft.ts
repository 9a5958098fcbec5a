/** What the listing editor saves: a listing's text as typed, valid or not, with a revision. */
import * as z from "zod";
import { imageDigest } from "./image";
import { releaseNotes } from "./listing";
import { CATEGORIES, SCREENSHOTS } from "./listing-terms";
import { atMost, shownText, storableText } from "./shown-text";

/** Longer than what may be published, so that a text that is too long is saved and can be shortened later. */
const line = storableText.max(2_000, atMost(2_000));
const prose = storableText.max(40_000, atMost(40_000));

/** The members of `ListingText`, without its rules. */
export const typedText = z.strictObject({
  title: line,
  tagline: line,
  category: z.enum(CATEGORIES),
  about: z.strictObject({ product: prose, company: prose, offering: prose }),
  requirements: z.strictObject({
    technicalDetails: prose,
    launchInstructions: prose,
    complianceDetails: prose,
  }),
  links: z.strictObject({ support: line, privacy: line, website: line }),
  icon: imageDigest.nullable(),
  screenshots: z
    .array(z.strictObject({ image: imageDigest, caption: line }))
    .max(SCREENSHOTS, `Use at most ${SCREENSHOTS} screenshots.`),
});

export const listingDraft = z.object({
  text: typedText,
  /** Increases by one with each save; 0 before the first. */
  revision: z.int().min(0),
  /** ISO 8601; null before the first save. */
  updatedAt: z.string().nullable(),
  updatedBy: z.string().nullable(),
});
export type ListingDraft = z.infer<typeof listingDraft>;

/** `revision`: the one the text was made from. 409 `STALE_REVISION` if another save came first. */
export const saveTextInput = z.strictObject({ text: typedText, revision: z.int().min(0).max(2_147_483_647) });
export type SaveTextInput = z.infer<typeof saveTextInput>;

export const savedText = listingDraft.omit({ text: true });
export type SavedText = z.infer<typeof savedText>;

/** Submits the draft's text at this revision. */
export const submitTextInput = z.strictObject({
  revision: z.int().min(1).max(2_147_483_647),
  note: shownText.max(4_000, atMost(4_000)).default(""),
});
export type SubmitTextInput = z.infer<typeof submitTextInput>;

export const releaseNotesInput = z.strictObject({ notes: releaseNotes });

import * as z from "zod";
import { imageDigest } from "./image";
import { httpsUrl } from "./link";
import { CATEGORIES, SCREENSHOTS } from "./listing-terms";
import { slug } from "./names";
import { atMost, shownText } from "./shown-text";

export const LISTING_STATES = ["DRAFT", "PUBLIC", "SUSPENDED", "RETIRED"] as const;
export type ListingState = (typeof LISTING_STATES)[number];

export const REVIEW_STATES = ["PENDING", "APPROVED", "CHANGES_REQUESTED", "REJECTED", "WITHDRAWN"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export const REVIEW_KINDS = ["VERSION", "TEXT"] as const;
/** What is reviewed: a version together with the listing's text, or only the text. */
export type ReviewKind = (typeof REVIEW_KINDS)[number];

const prose = shownText.max(10_000, atMost(10_000));
const link = z.union([z.literal(""), httpsUrl]);

/** The public text of an app. Prose is Markdown without raw HTML. */
export const listingText = z.strictObject({
  title: shownText.min(2, "Enter a title of at least 2 characters.").max(80, atMost(80)),
  tagline: shownText.max(120, atMost(120)),
  category: z.enum(CATEGORIES, "Choose a category."),
  about: z.strictObject({ product: prose, company: prose, offering: prose }),
  requirements: z.strictObject({
    technicalDetails: prose,
    launchInstructions: prose,
    complianceDetails: prose,
  }),
  links: z.strictObject({ support: link, privacy: link, website: link }),
  icon: imageDigest.nullable(),
  screenshots: z
    .array(z.strictObject({ image: imageDigest, caption: shownText.max(140, atMost(140)) }))
    .max(SCREENSHOTS, `Use at most ${SCREENSHOTS} screenshots.`),
});
export type ListingText = z.infer<typeof listingText>;

const { title, about, requirements, ...later } = listingText.shape;

/** A new listing. What is not given is empty. */
export const listingInput = z.strictObject({
  appName: slug,
  title,
  about: about.extend({ product: prose.min(1, "Describe what the app does.") }),
  requirements,
  ...z.strictObject(later).partial().shape,
});
export type ListingInput = z.infer<typeof listingInput>;

export const createdListing = z.object({ listingId: z.uuid(), appName: z.string() });

/** Markdown: what is new in a version. */
export const releaseNotes = prose;

export const submitReviewInput = z.strictObject({
  versionId: z.uuid(),
  /** Replaces the version's. */
  releaseNotes: releaseNotes.optional(),
  /** The publisher knows that a newer version is verified already. */
  older: z.boolean().default(false),
  /** For the moderator. */
  note: shownText.max(2000, atMost(2000)).default(""),
});
export type SubmitReviewInput = z.input<typeof submitReviewInput>;

export const DECISIONS = ["approve", "return", "reject"] as const;
export type Decision = (typeof DECISIONS)[number];

export const decisionInput = z
  .strictObject({
    decision: z.enum(DECISIONS, "Choose a decision."),
    note: shownText.max(4000, atMost(4000)).default(""),
  })
  .refine((input) => input.decision === "approve" || input.note.length > 0, {
    path: ["note"],
    message: "Tell the publisher what to change.",
  });
export type DecisionInput = z.infer<typeof decisionInput>;

export const submittedReview = z.object({ reviewId: z.uuid() });

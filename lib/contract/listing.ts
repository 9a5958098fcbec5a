import * as z from "zod";
import { slug } from "./names";
import { atMost, shownText } from "./shown-text";

export const LISTING_STATES = ["DRAFT", "PUBLIC", "SUSPENDED", "RETIRED"] as const;
export type ListingState = (typeof LISTING_STATES)[number];

export const REVIEW_STATES = ["PENDING", "APPROVED", "CHANGES_REQUESTED", "REJECTED", "WITHDRAWN"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

const prose = shownText.max(10_000, atMost(10_000));

/** The texts are Markdown without raw HTML. */
export const listingInput = z.strictObject({
  appName: slug,
  title: shownText.min(2, "Enter a title of at least 2 characters.").max(80, atMost(80)),
  about: z.strictObject({
    product: prose.min(1, "Describe what the app does."),
    company: prose,
    offering: prose,
  }),
  requirements: z.strictObject({
    technicalDetails: prose,
    launchInstructions: prose,
    complianceDetails: prose,
  }),
});
export type ListingInput = z.infer<typeof listingInput>;

export const createdListing = z.object({ listingId: z.uuid(), appName: z.string() });

export const submitReviewInput = z.strictObject({
  versionId: z.uuid(),
  /** The publisher knows that a newer version is verified already. */
  older: z.boolean().default(false),
});
export type SubmitReviewInput = z.infer<typeof submitReviewInput>;

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

/** A listing's text field by field, for comments and for what changed since the last approval. */
import { CATEGORY_NAMES, type ListingText } from "@/lib/contract/listing";
import { TEXT_FIELDS, type TextField } from "@/lib/contract/review";

export const TEXT_FIELD_LABELS = {
  title: "Title",
  tagline: "Tagline",
  category: "Category",
  "about.product": "The product",
  "about.offering": "The offering",
  "about.company": "The company",
  "requirements.technicalDetails": "Technical details",
  "requirements.launchInstructions": "Launch instructions",
  "requirements.complianceDetails": "Compliance details",
  "links.support": "Support link",
  "links.privacy": "Privacy link",
  "links.website": "Website",
  icon: "Icon",
  screenshots: "Screenshots",
} as const satisfies Record<TextField, string>;

/** Earlier releases stored texts without some members: those are empty. Pictures are the digests they are served by. */
const READ: Record<TextField, (text: ListingText) => string | undefined> = {
  title: ({ title }) => title,
  tagline: ({ tagline }) => tagline,
  category: ({ category }) => CATEGORY_NAMES[category],
  "about.product": ({ about }) => about.product,
  "about.offering": ({ about }) => about.offering,
  "about.company": ({ about }) => about.company,
  "requirements.technicalDetails": ({ requirements }) => requirements.technicalDetails,
  "requirements.launchInstructions": ({ requirements }) => requirements.launchInstructions,
  "requirements.complianceDetails": ({ requirements }) => requirements.complianceDetails,
  "links.support": ({ links }) => links.support,
  "links.privacy": ({ links }) => links.privacy,
  "links.website": ({ links }) => links.website,
  icon: ({ icon }) => icon ?? "",
  screenshots: ({ screenshots }) => screenshots.map(({ image, caption }) => `${image} ${caption}`).join("\n"),
};

export function getTextField(text: ListingText, field: TextField): string {
  return READ[field](text) ?? "";
}

/** In the order of the listing's page. */
export function listChangedFields(before: ListingText, after: ListingText): TextField[] {
  return TEXT_FIELDS.filter((field) => getTextField(before, field) !== getTextField(after, field));
}

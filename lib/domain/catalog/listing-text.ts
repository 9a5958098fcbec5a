/** A listing's text field by field: for comments, for what changed since the last approval, and to merge what two people typed. */
import type { ListingText } from "@/lib/contract/catalog/listing";
import { CATEGORY_NAMES, TEXT_FIELDS, type TextField } from "@/lib/contract/catalog/listing-terms";
import { orderPrivacy, printPrivacy } from "./privacy";
import { NO_TERMS } from "./terms";

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
  "links.support": "Support link or email address",
  "links.privacy": "Privacy link",
  "links.website": "Website",
  privacy: "Privacy declaration",
  "terms.url": "Terms link",
  "terms.version": "Version of the terms",
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
  privacy: ({ privacy }) => printPrivacy(privacy),
  "terms.url": ({ terms }) => terms?.url,
  "terms.version": ({ terms }) => terms?.version,
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

export interface TextChange {
  name: TextField;
  label: string;
  before: string;
  after: string;
}

/** What differs, in the order of the listing's page. */
export function compareTexts(before: ListingText, after: ListingText): TextChange[] {
  return listChangedFields(before, after).map((name) => ({
    name,
    label: TEXT_FIELD_LABELS[name],
    before: getTextField(before, name),
    after: getTextField(after, name),
  }));
}

/** The changes of both, and `mine` for the parts that both changed, which are counted. */
export function mergeTexts(
  base: ListingText,
  mine: ListingText,
  theirs: ListingText,
): { text: ListingText; conflicts: number } {
  let conflicts = 0;
  const pick = <Part>(read: (text: ListingText) => Part): Part => {
    const [before, own, other] = [base, mine, theirs].map((text) => JSON.stringify(read(text)));
    if (own === before) return read(theirs);
    if (other !== before && other !== own) conflicts += 1;
    return read(mine);
  };
  const text: ListingText = {
    title: pick(({ title }) => title),
    tagline: pick(({ tagline }) => tagline),
    category: pick(({ category }) => category),
    about: {
      product: pick(({ about }) => about.product),
      company: pick(({ about }) => about.company),
      offering: pick(({ about }) => about.offering),
    },
    requirements: {
      technicalDetails: pick(({ requirements }) => requirements.technicalDetails),
      launchInstructions: pick(({ requirements }) => requirements.launchInstructions),
      complianceDetails: pick(({ requirements }) => requirements.complianceDetails),
    },
    links: {
      support: pick(({ links }) => links.support),
      privacy: pick(({ links }) => links.privacy),
      website: pick(({ links }) => links.website),
    },
    // Of one save: a link without its version would name other terms.
    terms: pick(({ terms = NO_TERMS }) => terms),
    privacy: pick(({ privacy = null }) => privacy),
    icon: pick(({ icon }) => icon),
    screenshots: pick(({ screenshots }) => screenshots),
  };
  return { text, conflicts };
}

/** The pictures that a text shows. */
export function listPictures({ icon, screenshots }: ListingText): string[] {
  return [...new Set([...(icon === null ? [] : [icon]), ...screenshots.map(({ image }) => image)])];
}

/** The same text always becomes the same string, whatever the order of its members. */
export function writeText({
  title,
  tagline,
  category,
  about,
  requirements,
  links,
  terms = NO_TERMS,
  privacy: declared = null,
  icon,
  screenshots,
}: ListingText) {
  const { product, company, offering } = about;
  const { technicalDetails, launchInstructions, complianceDetails } = requirements;
  const { support, privacy, website } = links;
  return JSON.stringify({
    title,
    tagline,
    category,
    about: { product, company, offering },
    requirements: { technicalDetails, launchInstructions, complianceDetails },
    links: { support, privacy, website },
    terms: { url: terms.url, version: terms.version },
    privacy: declared && orderPrivacy(declared),
    icon,
    screenshots: screenshots.map(({ image, caption }) => ({ image, caption })),
  });
}

/** All fields below each other, to be compared line by line. */
export function printText(text: ListingText): string {
  return TEXT_FIELDS.map((field) => `${TEXT_FIELD_LABELS[field]}\n${getTextField(text, field)}`).join("\n\n");
}

// What moderators will check in a listing, before it is submitted.

export interface ChecklistItem {
  title: string;
  isDone: boolean;
  /** A submission without it is refused. The other items are what moderators request most often. */
  isRequired: boolean;
  /** The part of the text, or the page that it is done on. */
  at: { field: TextField } | { page: "versions" | "manifest" };
}

export interface CheckedListing {
  text: ListingText;
  hasVersion: boolean;
  /** Of the newest version's manifest. */
  warnings: number;
}

const ENOUGH = 80;

export function checkListing({ text, hasVersion, warnings }: CheckedListing): ChecklistItem[] {
  const { about, requirements, links } = text;
  const part = (name: TextField, title: string, isDone: boolean, isRequired = false): ChecklistItem => ({
    title,
    isDone,
    isRequired,
    at: { field: name },
  });
  return [
    part("title", "A title", filled(text.title), true),
    part("tagline", "A tagline that says what it does in one line", filled(text.tagline)),
    part("category", "A category other than “Other”", text.category !== "other"),
    part("icon", "An icon", text.icon !== null),
    part("screenshots", "At least one screenshot", text.screenshots.length > 0),
    part(
      "screenshots",
      "A caption for every screenshot, for people who can't see it",
      text.screenshots.length > 0 && text.screenshots.every(({ caption }) => filled(caption)),
    ),
    part("about.product", "A description of the product", filled(about.product), true),
    part(
      "about.product",
      `A description of at least ${ENOUGH} characters`,
      about.product.trim().length >= ENOUGH,
    ),
    part("requirements.launchInstructions", "Launch instructions", filled(requirements.launchInstructions)),
    part("requirements.complianceDetails", "Compliance details", filled(requirements.complianceDetails)),
    part("links.support", "A support link or email address", filled(links.support)),
    part("links.privacy", "A privacy link", filled(links.privacy)),
    part("privacy", "A privacy declaration", (text.privacy ?? null) !== null),
    { title: "A published version", isDone: hasVersion, isRequired: true, at: { page: "versions" } },
    {
      title: warnings === 0 ? "A manifest without warnings" : `A manifest without warnings (${warnings} now)`,
      isDone: hasVersion && warnings === 0,
      isRequired: false,
      at: { page: "manifest" },
    },
  ];
}

function filled(text: string): boolean {
  return text.trim() !== "";
}

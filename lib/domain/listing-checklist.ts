/** What moderators will check in a listing, before it is submitted. */
import type { ListingText } from "@/lib/contract/listing";
import type { TextField } from "@/lib/contract/listing-terms";

export interface ChecklistItem {
  title: string;
  isDone: boolean;
  /** A submission without it is refused. The others are what moderators ask for most. */
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
    ...{ title, isDone, isRequired },
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
    part("links.support", "A support link", filled(links.support)),
    part("links.privacy", "A privacy link", filled(links.privacy)),
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

/** What listings are made of. Apart from their shapes, because zod is larger than most pages. */

/** What the marketplace groups apps by, with the names that people read. */
export const CATEGORY_NAMES = {
  underwriting: "Underwriting",
  rating: "Rating",
  data: "Data and enrichment",
  claims: "Claims",
  billing: "Billing and payments",
  documents: "Documents",
  communication: "Communication",
  compliance: "Compliance and fraud",
  analytics: "Analytics",
  integration: "Integration",
  other: "Other",
} as const;
export type Category = keyof typeof CATEGORY_NAMES;
export const CATEGORIES = Object.keys(CATEGORY_NAMES) as [Category, ...Category[]];

export const SCREENSHOTS = 6;

/** The most megabytes (MiB) of an uploaded picture. */
export const IMAGE_MEBIBYTES = 5;

/** The fields of a listing's text, as comments and differences name them. */
export const TEXT_FIELDS = [
  "title",
  "tagline",
  "category",
  "about.product",
  "about.offering",
  "about.company",
  "requirements.technicalDetails",
  "requirements.launchInstructions",
  "requirements.complianceDetails",
  "links.support",
  "links.privacy",
  "links.website",
  "icon",
  "screenshots",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What an app can connect to, with the names that people read. */
export const CONNECTION_NAMES = {
  webhooks: "Webhooks",
  autofill: "Autofill",
  raters: "External raters",
  endpoints: "Endpoints",
} as const;
export type Connection = keyof typeof CONNECTION_NAMES;

/** Where a stored picture is served. Apart from its shape, so that public pages don't load zod (40 kB) to draw a picture. */
export function imagePath(digest: string): string {
  return `/images/${digest}.webp`;
}

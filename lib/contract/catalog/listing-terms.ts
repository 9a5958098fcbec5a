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
  "privacy",
  "terms.url",
  "terms.version",
  "icon",
  "screenshots",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What an app can connect to, with the names that people read. `core`: to no host but its customer's core. */
export const CONNECTION_NAMES = {
  webhooks: "Webhooks",
  autofill: "Autofill",
  raters: "External raters",
  endpoints: "Endpoints",
  core: "Only your core",
} as const;
export type Connection = keyof typeof CONNECTION_NAMES;

/** Where a stored picture is served. Apart from its shape, so that public pages don't load zod (40 kB) to draw a picture. */
export function imagePath(digest: string): string {
  return `/images/${digest}.webp`;
}

/** What an app can access, as a privacy declaration names it. */
export const DATA_KIND_NAMES = {
  people: "Names and contact details of policyholders",
  policies: "Policies and coverages",
  objects: "Insured vehicles, buildings, and other objects",
  claims: "Claims",
  payments: "Payments and bank details",
  health: "Health data",
  documents: "Documents and pictures",
  location: "Location data",
} as const;
export type DataKind = keyof typeof DATA_KIND_NAMES;
export const DATA_KINDS = Object.keys(DATA_KIND_NAMES) as [DataKind, ...DataKind[]];

export const SUB_PROCESSORS = 50;

/** ISO 3166-1 alpha-2. Their names are `Intl.DisplayNames`. */
export const COUNTRIES: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`
  .trim()
  .split(/\s+/);

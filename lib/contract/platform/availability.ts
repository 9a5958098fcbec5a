/** Which parts of the platform are unavailable, in the form that pages get. Every page loads this file, so it must not import zod. */

/** Parts that report regularly, in the database, that they work. */
export const BEATING_PARTS = ["gateway", "worker"] as const;
export type BeatingPart = (typeof BEATING_PARTS)[number];

/** Also the pages. No page can say that they are away. */
export const REPORTING_PARTS = ["web", ...BEATING_PARTS] as const;
export type ReportingPart = (typeof REPORTING_PARTS)[number];

/** What the platform's own parts can tell. A browser also notices when nothing answers at all. */
export interface AwayPart {
  part: "database" | BeatingPart;
  /** ISO 8601. Null if nobody knows. */
  since: string | null;
}

/** What is away; empty if everything works. If the database is away, nothing is known about the others. */
export interface Availability {
  away: AwayPart[];
}

export const ALL_THERE: Availability = { away: [] };

/** The digest of errors that pages show as "the database is away". Next passes digests to the browser, and no messages. */
export const DATABASE_AWAY = "DATABASE_UNAVAILABLE";

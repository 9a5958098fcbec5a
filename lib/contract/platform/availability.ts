/** Which parts of the platform are away, as pages learn it. */
import * as z from "zod";

/** Parts that report regularly, in the database, that they work. */
export const BEATING_PARTS = ["gateway", "worker"] as const;
export type BeatingPart = (typeof BEATING_PARTS)[number];

/** Also the pages. No page can say that they are away. */
export const REPORTING_PARTS = ["web", ...BEATING_PARTS] as const;
export type ReportingPart = (typeof REPORTING_PARTS)[number];

/** What the platform's own parts can tell. A browser also notices when nothing answers at all. */
const awayPart = z.object({
  part: z.enum(["database", ...BEATING_PARTS]),
  /** ISO 8601. Null if nobody knows. */
  since: z.string().nullable(),
});

/** What is away; empty if everything works. If the database is away, nothing is known about the others. */
export const availabilityAnswer = z.object({ away: z.array(awayPart) });
export type Availability = z.infer<typeof availabilityAnswer>;
export type AwayPart = Availability["away"][number];

export const ALL_THERE: Availability = { away: [] };

/** The digest of errors that pages show as "the database is away". Next passes digests to the browser, and no messages. */
export const DATABASE_AWAY = "DATABASE_UNAVAILABLE";

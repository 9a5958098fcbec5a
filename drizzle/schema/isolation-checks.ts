import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { IsolationPlace } from "../../lib/contract/isolation";
import { moment } from "./columns";

/** The latest check of what apps can reach. There is one row. */
export const isolationChecks = pgTable(
  "isolation_checks",
  {
    id: boolean("id").primaryKey().default(true),
    requestedAt: moment("requested_at").notNull().defaultNow(),
    /** When a worker last began; null before the first check. A check that was requested since is due. */
    startedAt: moment("started_at"),
    /** When the check that ran last ended. */
    endedAt: moment("ended_at"),
    durationMs: integer("duration_ms"),
    /** Why the check that ran last has no result. */
    problem: text("problem"),
    /** The latest result. */
    places: jsonb("places").$type<IsolationPlace[]>().notNull().default([]),
  },
  (table) => [check("one_row", sql`${table.id}`)],
);

import { integer, pgTable } from "drizzle-orm/pg-core";
import { moment } from "./columns";

/** Running workers. Each keeps an advisory lock on its id as long as its connection lasts. */
export const workers = pgTable("workers", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  startedAt: moment("started_at").notNull().defaultNow(),
  /** Another worker found its lock free: it died, or is about to reconnect. */
  missingSince: moment("missing_since"),
});

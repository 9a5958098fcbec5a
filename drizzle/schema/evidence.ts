import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgEnum, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { EVIDENCE_STATES, type EvidenceCheck, type EvidenceFacts } from "../../lib/contract/evidence";
import { id, lease, moment } from "./columns";
import { reviews } from "./listings";
import { organizations } from "./organizations";

export const evidenceStateEnum = pgEnum("evidence_state", EVIDENCE_STATES);

/** What the automatic checks of a version under review found. Checking again replaces it. */
export const evidence = pgTable(
  "evidence",
  {
    id: id(),
    reviewId: uuid("review_id")
      .notNull()
      .unique()
      .references(() => reviews.id),
    /** The publisher's. Its versions are checked one at a time. */
    organizationId: uuid("organization_id")
      .notNull()
      .references(() => organizations.id),
    state: evidenceStateEnum("state").notNull().default("QUEUED"),
    facts: jsonb("facts").$type<EvidenceFacts>(),
    checks: jsonb("checks").$type<EvidenceCheck[]>().notNull().default([]),
    /** Why it is `FAILED`. */
    reason: text("reason"),
    /** How often workers began since it was queued. */
    tries: integer("tries").notNull().default(0),
    queuedAt: moment("queued_at").notNull().defaultNow(),
    endedAt: moment("ended_at"),
    ...lease(),
  },
  (table) => [
    index("evidence_to_check")
      .on(table.organizationId, table.queuedAt)
      .where(sql`state in ('QUEUED', 'RUNNING')`),
  ],
);

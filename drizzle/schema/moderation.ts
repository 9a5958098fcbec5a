import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  EVIDENCE_STATES,
  type EvidenceCheck,
  type EvidenceFacts,
  type StoredAnchor,
} from "../../lib/contract/moderation/review";
import { organizations, users } from "./accounts";
import { listings, reviews } from "./catalog";
import { createdAt, id, jsonb, lease, moment } from "./columns";

/** What moderators and the publisher write to each other about a review. */
export const reviewComments = pgTable(
  "review_comments",
  {
    id: id(),
    reviewId: uuid("review_id")
      .notNull()
      .references(() => reviews.id),
    /** The comment that starts the thread; null if this one does. */
    parentId: uuid("parent_id").references((): AnyPgColumn => reviewComments.id),
    authorId: uuid("author_id")
      .notNull()
      .references(() => users.id),
    /** Written as a moderator; otherwise for the publisher. */
    moderator: boolean("moderator").notNull(),
    /** Markdown without raw HTML. */
    body: text("body").notNull(),
    /** What it is about, as it was. Null for replies and for comments on the whole review. */
    anchor: jsonb("anchor").$type<StoredAnchor>(),
    createdAt: createdAt(),
    editedAt: moment("edited_at"),
    /** Only of comments that start a thread. */
    resolvedAt: moment("resolved_at"),
    resolvedBy: uuid("resolved_by").references(() => users.id),
  },
  (table) => [index().on(table.reviewId)],
);

/** A time in which a public listing was suspended. */
export const suspensions = pgTable(
  "suspensions",
  {
    id: id(),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    /** For the publisher and for customers. */
    reason: text("reason").notNull(),
    suspendedBy: uuid("suspended_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** Running installations were stopped, and can't be started until the listing is reinstated. */
    stopsInstallations: boolean("stops_installations").notNull(),
    /** The installations that it stopped. */
    stopped: uuid("stopped").array().notNull().default([]),
    reinstatedBy: uuid("reinstated_by").references(() => users.id),
    reinstatedAt: moment("reinstated_at"),
  },
  (table) => [
    index().on(table.listingId),
    uniqueIndex("one_suspension_at_a_time")
      .on(table.listingId)
      .where(sql`reinstated_at is null`),
  ],
);

/** A problem with a public listing that somebody told the moderators of. */
export const listingReports = pgTable(
  "listing_reports",
  {
    id: id(),
    listingId: uuid("listing_id")
      .notNull()
      .references(() => listings.id),
    /** For moderators only: neither the publisher nor anybody else learns who wrote it. */
    text: text("text").notNull(),
    reportedBy: uuid("reported_by")
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    /** Null while nobody has handled it. */
    closedAt: moment("closed_at"),
    closedBy: uuid("closed_by").references(() => users.id),
  },
  (table) => [
    index("reports_of_a_listing").on(table.listingId, table.id),
    index("open_reports")
      .on(table.id)
      .where(sql`closed_at is null`),
    uniqueIndex("one_open_report_a_person")
      .on(table.listingId, table.reportedBy)
      .where(sql`closed_at is null`),
  ],
);

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

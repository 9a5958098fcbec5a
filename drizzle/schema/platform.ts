import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import type { ReportingPart } from "../../lib/contract/platform/availability";
import type { NotificationKind } from "../../lib/contract/platform/notification-kinds";
import { organizations, users } from "./accounts";
import { createdAt, id, jsonb, lease, moment } from "./columns";

/** What moderators see: the platform's trail, and what moderation does to listings of all organizations. */
export const OF_MODERATORS = sql`chain = 'platform' or action like 'review.%' or action in ('listing.suspend', 'listing.reinstate')`;

/** One row per mutation, in the same transaction. Each `seal` covers its row and the previous row's seal. */
export const audit = pgTable(
  "audit",
  {
    id: id(),
    /** Organization id, or `platform`. */
    chain: text("chain").notNull(),
    position: integer("position").notNull(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
    at: createdAt(),
    /** `<id of the audit key>:<HMAC-SHA-256, hex>`. */
    seal: text("seal").notNull(),
  },
  (table) => [
    unique().on(table.chain, table.position),
    // One for each filter of the page, in its order.
    index("audit_of_chain").on(table.chain, table.at, table.id),
    index("audit_of_actor").on(table.chain, table.actor, table.at, table.id),
    index("audit_of_action").on(table.chain, table.action, table.at, table.id),
    index("audit_of_subject").on(table.chain, table.subject, table.at, table.id),
    index("audit_of_moderators").on(table.at, table.id).where(OF_MODERATORS),
    index("audit_of_moderators_actors").on(table.actor, table.at, table.id).where(OF_MODERATORS),
  ],
);

/** The end of each chain, so that a truncated trail is detected. */
export const auditHeads = pgTable("audit_heads", {
  chain: text("chain").primaryKey(),
  position: integer("position").notNull(),
  seal: text("seal").notNull(),
  /** HMAC over chain, position and seal. */
  headSeal: text("head_seal").notNull(),
});

/** Keys that seal the audit trails. Each seal starts with the id of its key. */
export const auditKeys = pgTable("audit_keys", {
  id: text("id").primaryKey(),
  /** A 256-bit key, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  createdAt: createdAt(),
});

export const signingKeys = pgTable("signing_keys", {
  id: uuid("id").primaryKey(),
  /** Ed25519 public JWK, as the JWKS shows it. */
  publicJwk: jsonb("public_jwk").$type<Record<string, string>>().notNull(),
  /** Private JWK, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  createdAt: createdAt(),
  retiredAt: moment("retired_at"),
});

/** One row for each person and subject. What happens again to the subject brings the row back, with a count. */
export const notifications = pgTable(
  "notifications",
  {
    id: id(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** Only its members see the row; null if it concerns only the person, or moderators. */
    organizationId: uuid("organization_id").references(() => organizations.id),
    kind: text("kind").$type<NotificationKind>().notNull(),
    /** What it is about, such as `review:<id>`. */
    subject: text("subject").notNull(),
    title: text("title").notNull(),
    body: text("body").notNull(),
    /** A path on this platform. */
    href: text("href").notNull(),
    /** How often it happened since the person last read it. */
    count: integer("count").notNull().default(1),
    /** False if the person wants this kind by email only. */
    shown: boolean("shown").notNull().default(true),
    /** It is about an ongoing condition, such as an error, until a later notification about the subject ends it. */
    lasts: boolean("lasts").notNull().default(false),
    createdAt: createdAt(),
    /** When it last happened. */
    updatedAt: moment("updated_at").notNull().defaultNow(),
    readAt: moment("read_at"),
    /** When its newest mail was or will be sent. */
    mailedAt: moment("mailed_at"),
  },
  (table) => [
    unique("one_notification_a_subject").on(table.userId, table.kind, table.subject),
    index("lasting_notifications")
      .on(table.kind, table.subject)
      .where(sql`lasts`),
    index("newest_notifications").on(table.userId, table.updatedAt, table.id),
    index("unread_notifications")
      .on(table.userId, table.updatedAt, table.id)
      .where(sql`read_at is null and shown`),
  ],
);

/** What a person chose. Without a row, the defaults of the kind apply. */
export const notificationPreferences = pgTable(
  "notification_preferences",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    kind: text("kind").$type<NotificationKind>().notNull(),
    inProduct: boolean("in_product").notNull(),
    email: boolean("email").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

export const mailStateEnum = pgEnum("mail_state", ["QUEUED", "SENT", "DEAD"]);

/** Emails waiting to be sent, and the outcome of the others. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    /** The address; null for an email about a notification, which goes to its person. */
    recipient: text("recipient"),
    /** Subject and texts, sealed by the master key that `masterKeyId` names; null once the email was sent or is dead. */
    sealed: text("sealed"),
    masterKeyId: text("master_key_id"),
    /** It is composed when it is sent, so that it contains the newest event. */
    notificationId: uuid("notification_id").references(() => notifications.id, { onDelete: "cascade" }),
    state: mailStateEnum("state").notNull().default("QUEUED"),
    attempts: integer("attempts").notNull().default(0),
    /** Why the last attempt failed. */
    failure: text("failure"),
    createdAt: createdAt(),
    dueAt: moment("due_at").notNull().defaultNow(),
    endedAt: moment("ended_at"),
    ...lease(),
  },
  (table) => [
    check("one_recipient", sql`(${table.recipient} is null) <> (${table.notificationId} is null)`),
    index("queued_mails")
      .on(table.dueAt)
      .where(sql`state = 'QUEUED'`),
    index().on(table.notificationId),
  ],
);

/** Running workers. Each keeps an advisory lock on its id as long as its connection lasts. */
export const workers = pgTable("workers", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  startedAt: moment("started_at").notNull().defaultNow(),
  /** Another worker found its lock free: it died, or is about to reconnect. */
  missingSince: moment("missing_since"),
  /** Origins of the state API that it gives to apps; null if it is of an earlier release. */
  stateApis: text("state_apis").array(),
});

/** Processes of web, gateway and worker. Each updates its row every two seconds while it works. */
export const partBeats = pgTable("part_beats", {
  id: uuid("id").primaryKey(),
  part: text("part").$type<ReportingPart>().notNull(),
  seenAt: moment("seen_at").notNull().defaultNow(),
  startedAt: moment("started_at").notNull().defaultNow(),
  /** The machine's name, which in a cluster is the Pod's; null if the process is of an earlier release. */
  host: text("host"),
  /** The platform's version; null if the process is of an earlier release. */
  release: text("release"),
  /** When it began to end on purpose; null if it works, or if it went without a word. */
  endedAt: moment("ended_at"),
  /** The master keys that it has, as `<id>:<fingerprint>`; null if the process is of an earlier release. */
  masterKeys: text("master_keys").array(),
});

/** Backups that this database was the source of. */
export const backups = pgTable("backups", {
  /** As in the backup's manifest. */
  id: uuid("id").primaryKey(),
  /** The moment whose state it has. */
  takenAt: moment("taken_at").notNull(),
  /** Of all its files. */
  bytes: bigint("bytes", { mode: "number" }).notNull(),
  /** Blobs of images that the store could not give. */
  lostBlobs: integer("lost_blobs").notNull(),
  /** When every file of it was last read and found unchanged. */
  checkedAt: moment("checked_at"),
});

/**
 * Each time this database was filled from a backup. The worker does nothing until an operator says that the original doesn't run
 * anymore: two platforms with the same rows would send the same webhooks and mails.
 */
export const restorations = pgTable("restorations", {
  id: id(),
  backupId: uuid("backup_id").notNull(),
  /** The moment whose state the backup has. */
  backedUpAt: moment("backed_up_at").notNull(),
  restoredAt: moment("restored_at").notNull().defaultNow(),
  /** Null while it is on hold. */
  releasedAt: moment("released_at"),
});

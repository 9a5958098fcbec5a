import { sql } from "drizzle-orm";
import {
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
import type { NotificationKind } from "../../lib/contract/notification-kinds";
import { createdAt, id, lease, moment } from "./columns";
import { organizations, users } from "./organizations";

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

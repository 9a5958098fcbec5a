import {
  bigint,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns";
import { users } from "./organizations";

/**
 * Tries that were counted. rate-limiter-flexible reads and writes it, in this order of columns. The keys are hashes, so
 * that it contains neither addresses nor e-mail addresses.
 */
export const rateLimits = pgTable("rate_limits", {
  key: varchar("key", { length: 255 }).primaryKey(),
  points: integer("points").notNull().default(0),
  /** Milliseconds since 1970. */
  expire: bigint("expire", { mode: "number" }),
});

/** The TOTP secret of a user. It counts once it is confirmed with a code. */
export const secondFactors = pgTable("second_factors", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id),
  /** The secret, sealed by the master key that `masterKeyId` names. */
  wrapped: text("wrapped").notNull(),
  masterKeyId: text("master_key_id").notNull(),
  confirmedAt: moment("confirmed_at"),
  /** The time step of the last code that was accepted. Codes of this step and earlier ones are not accepted again. */
  lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
  createdAt: createdAt(),
});

/** A row is deleted when its code is used. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** SHA-256 of an 80-bit random code, hex. */
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

export const LINK_KINDS = ["SIGN_UP", "EMAIL_CHANGE", "NEW_PASSWORD"] as const;
export const linkKindEnum = pgEnum("link_kind", LINK_KINDS);

/** Links that were sent by e-mail, or printed for an operator. A row is deleted when its link is used. */
export const accountLinks = pgTable(
  "account_links",
  {
    id: id(),
    kind: linkKindEnum("kind").notNull(),
    /** SHA-256 of the 256-bit random token in the link, hex. */
    hash: text("hash").notNull().unique(),
    /** Null for a sign-up: its content names the address. */
    userId: uuid("user_id").references(() => users.id),
    /** What happens when the link is used. */
    content: jsonb("content").$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/**
 * Requests to sign up with an address that is not confirmed yet, from anyone: a link proves who owns the address, and
 * the password shows which request is the owner's.
 */
export const pendingSignUps = pgTable(
  "pending_sign_ups",
  {
    id: id(),
    email: text("email").notNull(),
    /** SHA-256 of the network that asked, base64url. */
    requester: text("requester").notNull(),
    /** The future account, with the hash of its password. */
    content: jsonb("content").$type<Record<string, string>>().notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index().on(table.email), index().on(table.expiresAt)],
);

/** Accounts of an OpenID Connect issuer that sign in as a user. */
export const linkedIdentities = pgTable(
  "linked_identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** As the issuer named it when it was linked. */
    email: text("email").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index().on(table.userId)],
);
